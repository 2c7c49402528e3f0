// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "channel/ways.hpp"
#include "model/probe.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sode::detail {
struct job;
} // namespace sode::detail

namespace sode::internal {

/// What ranks must know of each other, whatever they move: equal on all of them, so that every rank can work out what any other
/// rank does. (Distances are those of a rank's own machine: only there do they matter.) What grows with the number of ranks is
/// shared, not copied.
struct exchange_terms {
    std::string name;            ///< `halo of "u"`
    way const* forced = nullptr; ///< null: the model chooses
    int groups = 0;              ///< of buffered arrays, which flip apart
    profile costs;
    distance_table distances;
    machine_map machines;   ///< of the ranks that take part
    std::vector<int> torus; ///< extents of the torus that machines form, row-major (SODE_TORUS); empty: nobody has said
    int subcluster = 0;     ///< so many machines that follow each other have a network of their own (SODE_SUBCLUSTER); 0: none has
    bool puts_only = false; ///< network interfaces run plans: they store into memory of others, and load nothing from there
    bool wired = false;     ///< and they reach the machines of their sub-cluster, beside MPI
    bool pretended = false; ///< they are parts of one (SODE_MACHINE_SIZE): messages between them are copies by the same cores

    [[nodiscard]] int ranks() const noexcept { return machines.ranks(); }
    [[nodiscard]] bool share_memory(int a, int b) const noexcept { return machines.together(a, b); }
    /// Whether ranks of two machines reach each other's memory by network interfaces.
    [[nodiscard]] bool by_wire(int a, int b) const noexcept {
        return wired && !share_memory(a, b) && machines.of(a) / subcluster == machines.of(b) / subcluster;
    }
    [[nodiscard]] distance apart(int a, int b) const;
    /// What is forced, over as many machines as there are.
    [[nodiscard]] way const* forced_way() const noexcept;
    /// Whether messages of a pair of machines may go as one, if that pays.
    [[nodiscard]] bool may_combine_machines() const noexcept { return !machines.one() && !forced && !pretended; }
    /// Fills in what the job says.
    void take(detail::job const& j);
    /// The same, and `option` or SODE_CHANNEL. Errors: usage, for an unknown channel, or one that this job does
    /// not have; `asked_by` is for the message.
    void take(detail::job const& j, std::string const& option, std::string_view asked_by);
    /// Of what is here: ranks that differ in it would build plans that do not fit together.
    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t seed) const noexcept;
};

} // namespace sode::internal
