// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/plan.hpp"

#include <vector>

namespace sode {

/// All ranks combine `bytes` bytes, all get the result: everybody publishes its contribution, everybody combines all of them in the
/// order of ranks, so all get the same bits. One step deep, ranks^2 cache lines: right for the ranks of a node. `combiner` as in
/// engine/combine.hpp. Input: scratch [0, bytes); result: scratch [room, room + bytes), room = reduce_room(bytes).
[[nodiscard]] plan build_reduce(int rank, int ranks, std::size_t bytes, std::uint32_t combiner);

/// The same over several nodes: the ranks of each node put their contributions into its memory, the lowest rank of each node
/// exchanges them with the other nodes by one message a pair, and everybody combines all of them in the order of ranks. `nodes`: of
/// each rank.
[[nodiscard]] plan build_reduce_over_nodes(int rank, std::vector<int> const& nodes, std::size_t bytes, std::uint32_t combiner);

/// Where the result lies behind the input.
[[nodiscard]] constexpr std::int64_t reduce_room(std::size_t bytes) noexcept {
    return static_cast<std::int64_t>((bytes + 63) / 64 * 64);
}

} // namespace sode
