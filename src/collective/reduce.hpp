// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <cstdint>
#include <vector>

namespace sode {

/// Bytes one behind the other that are combined in one way.
struct reduced_part {
    std::int64_t bytes = 0;
    std::uint32_t combiner = 0; ///< as in plan/reduction.hpp

    friend bool operator==(reduced_part const&, reduced_part const&) = default;
};

/// What is combined. With a root, that rank's bytes are all there is: everybody gets them.
struct reduce_terms {
    std::vector<reduced_part> parts{};
    int root = -1; ///< -1: all ranks contribute

    [[nodiscard]] std::int64_t bytes() const noexcept;
    [[nodiscard]] bool has(int rank) const noexcept { return root < 0 || rank == root; }
    friend bool operator==(reduce_terms const&, reduce_terms const&) = default;
};

/// All ranks combine their bytes, all get the result: everybody publishes its contribution, everybody combines all of them in the
/// order of ranks, so all get the same bits. One step deep, ranks^2 cache lines: right for the ranks of a machine. With a root the
/// others only say that they are there: that is what tells it when its memory is free again.
/// Input: scratch [0, bytes); result: scratch [room, room + bytes), room = reduce_room(bytes).
[[nodiscard]] plan build_reduce(int rank, int ranks, reduce_terms const& terms);

/// The same over several machines: the ranks of each machine put their contributions into its memory, the lowest rank of each
/// machine exchanges them with the other machines by one message a pair, and everybody combines all of them in the order of ranks.
/// `machines`: of each rank.
[[nodiscard]] plan build_reduce_over_machines(int rank, std::vector<int> const& machines, reduce_terms const& terms);

/// Where the result lies behind the input.
[[nodiscard]] constexpr std::int64_t reduce_room(std::int64_t bytes) noexcept {
    return (bytes + 63) / 64 * 64;
}

} // namespace sode
