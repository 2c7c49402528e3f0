// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/chooser.hpp"
#include "model/probe.hpp"
#include "model/profile.hpp"
#include "plan/plan.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sode {

namespace detail {
struct job;
}

/// What ranks must know of each other, whatever they move: equal on all of them, so that every rank can work out what any other
/// rank does.
struct transfer_terms {
    std::string name; ///< `copy of "u" to "v"`
    std::optional<method> forced;
    int ranks = 1;
    int groups = 0; ///< of buffered arrays, which flip apart
    profile costs;
    distance_table distances;
    std::vector<int> nodes; ///< of each rank; empty: all ranks share memory

    [[nodiscard]] bool share_memory(int a, int b) const noexcept {
        return nodes.empty() || nodes[static_cast<std::size_t>(a)] == nodes[static_cast<std::size_t>(b)];
    }
    /// Fills in what the job says, and `option` or SODE_CHANNEL. Errors: usage, for an unknown channel; `asked_by` is for the
    /// message.
    void take(detail::job const& j, std::string const& option, std::string_view asked_by);
    /// Errors: usage, for a forced method that transfers do not have.
    void require_method() const;
    /// Of what is here: ranks that differ in it would build plans that do not fit together.
    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t seed) const noexcept;
};

/// Some bytes that go from one rank to another, or stay, in every epoch.
struct transfer {
    int source = 0;
    int target = 0;
    buffer from;
    layout source_layout;
    buffer to;
    layout target_layout;
    edge_features features{};
    choice chosen{};
    std::int64_t stage_offset = 0; ///< within one instance of the source's stage
};
/// Measures a transfer and chooses how it goes. `shared`: the target can load the source's memory, if they are on one node.
void choose_way(transfer& t, transfer_terms const& terms, bool shared);

/// Who sends which bytes to whom, worked out for any pair of ranks.
class transfers {
public:
    transfers() = default;
    virtual ~transfers() = default;
    transfers(transfers const&) = delete;
    transfers& operator=(transfers const&) = delete;
    transfers(transfers&&) = delete;
    transfers& operator=(transfers&&) = delete;

    struct outgoing {
        std::vector<transfer> items;  ///< by target; own copies (target = source) included; none without bytes
        std::int64_t stage_bytes = 0; ///< of one instance of the source's stage

        /// Gives those items a place in the stage that are staged.
        void lay_out_stage();
    };
    /// All that `rank` gives, with the method of each item and its place in the stage.
    virtual void from(int rank, outgoing& result) const = 0;
    /// The ranks that `rank` receives from (never itself), ascending.
    [[nodiscard]] virtual std::vector<int> sources(int rank) const = 0;
    /// Whether every source can be loaded by its target, if they are on one node.
    [[nodiscard]] virtual bool all_shared() const = 0;
};

/// One rank's part in them, as a plan. Pure.
///
/// Protocol: as in a halo exchange (docs/decisions/0002) a rank says "my source is ready", packs what is staged, says so, serves
/// itself, and takes its bytes from each rank in any order of their arrival. A reader acknowledges: before the source's epoch
/// ends where the memory itself was read; before a stage is filled again, two epochs later, where it was not, unless the source
/// reads from that reader in turn, whose next flag then says the same. Cost: that of `all` for this rank and its sources.
[[nodiscard]] plan build_transfers(transfer_terms const& terms, transfers const& all, int rank);

} // namespace sode
