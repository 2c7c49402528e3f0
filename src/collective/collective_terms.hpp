// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/reduced_part.hpp"
#include "pattern/exchange_terms.hpp"
#include "plan/verify.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sode::internal {

/// Collectives in which ranks get the same bytes, or combine theirs. What goes from one rank to another alone (gather, scatter,
/// alltoall, neighbourhoods) is an exchange of messages.
enum class collective_kind : std::uint8_t {
    barrier,
    broadcast,      ///< all get the root's
    reduce,         ///< the root gets all ranks' combined
    allreduce,      ///< all get them
    reduce_scatter, ///< each rank gets a part of them
    scan,           ///< a rank gets those of the ranks up to itself combined
    exscan          ///< those of the ranks before it; rank 0 gets nothing
};
[[nodiscard]] std::string_view to_string(collective_kind kind) noexcept;

/// What a collective is built from: equal on all ranks, so that every rank can work out what any other one does.
///
/// A rank has two arrays: 0 is what it gives, 1 is what it gets. A rank that works in place has only 1.
struct collective_terms : exchange_terms {
    collective_kind kind = collective_kind::barrier;
    int root = -1;                          ///< of broadcast and reduce
    std::vector<reduced_part> parts{};      ///< what each rank gives, one part behind the other; broadcast: one, not combined
    std::vector<std::int64_t> dealt{};      ///< reduce_scatter: bytes that each rank gets
    bool shared_inputs = false;             ///< what a rank gives can be loaded by all others of its machine
    bool shared_outputs = false;            ///< and so can what it gets
    std::vector<user_operator> operators{}; ///< that parts name: number k is combiner user_combiners + k
    bool some_in_place = false;             ///< some rank works in place;
    int leaders = 1;                        ///< ranks of each machine that speak for it to others, each for a share of the bytes
    int speaker = 0;                        ///< in the terms of one such share: whose it is
    bool proofs = true;                     ///< plans say what they owe, for verify: a line for each rank whose bytes they get
    std::optional<double> overlap{};        ///< share of its time that this rank has other work for; none: nobody has said
    std::vector<bool> in_place{};           ///< by rank, as far as it is known: what this rank does is known; empty: nobody does

    [[nodiscard]] std::int64_t bytes() const noexcept; ///< that a rank gives
    [[nodiscard]] bool gives(int rank) const noexcept;
    [[nodiscard]] bool works_in_place(int rank) const noexcept {
        return !in_place.empty() && in_place[static_cast<std::size_t>(rank)];
    }

    /// What a rank gets: some bytes of what the ranks first to last - 1 give, combined in their order.
    struct share {
        int first = 0;
        int last = 0; ///< first: nothing
        std::int64_t offset = 0;
        std::int64_t bytes = 0;

        [[nodiscard]] bool of(int rank) const noexcept { return first <= rank && rank < last; }
    };
    [[nodiscard]] share got_by(int rank) const noexcept;
    /// The same of all ranks. Cost: O(ranks), which of reduce_scatter got_by() takes for each.
    [[nodiscard]] std::vector<share> shares() const;
    /// Somebody gets something of what `rank` gives, be it itself.
    [[nodiscard]] bool is_needed(int rank) const noexcept;
    /// The rank that speaks for that machine: the root, if it is there, or the lowest one, or as many further on as `speaker` says.
    [[nodiscard]] int leader_on(int machine) const noexcept;
    /// The ranks that get something of what `rank` gives, never itself.
    [[nodiscard]] std::vector<int> takers(int rank) const;
    /// Everybody gets something of everybody, or waits for everybody: what one rank hears of another proves that it is done with
    /// the epoch before.
    [[nodiscard]] bool all_for_all() const noexcept;
    /// Nobody gets anything, and nobody waits for anybody.
    [[nodiscard]] bool empty() const noexcept { return kind == collective_kind::barrier ? ranks() == 1 : bytes() == 0; }

    /// Values may be combined in groups, and the groups again: the bits are the same. So it is with integers and booleans; other
    /// numbers are rounded, and nobody knows of operators of the user's.
    [[nodiscard]] bool exact() const noexcept;
    /// Bytes at whose multiples what is combined may be cut.
    [[nodiscard]] std::int64_t grain() const noexcept;
    /// Where part number `part` of all bytes begins, of `parts` that are as even as the grain allows; of part number `parts`: the
    /// end.
    [[nodiscard]] std::int64_t cut(std::int64_t part, std::int64_t parts) const noexcept;
    /// "allreduce of 64 bytes".
    [[nodiscard]] std::string title() const;
    /// Of what is here, places in memory apart.
    [[nodiscard]] std::uint64_t fingerprint() const noexcept;

private:
    [[nodiscard]] share got_by(int rank, std::int64_t all) const noexcept; // of so many bytes that a rank gives
};

/// How that rank's user meets its arrays: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> collective_models(collective_terms const& terms, int rank);

} // namespace sode::internal
