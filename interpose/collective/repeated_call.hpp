// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sode::internal::interpose {

/// The collectives that may be plans of ours.
enum class planned_function : std::uint8_t {
    barrier,
    bcast,
    reduce,
    allreduce,
    reduce_scatter_block,
    scan,
    exscan,
    gather,
    scatter,
    allgather,
    alltoall,
    // Of these, persistent ones alone: MPI makes too little equal on all ranks of the others.
    gatherv,
    scatterv,
    allgatherv,
    alltoallv,
    alltoallw,
    neighbor_allgather,
    neighbor_allgatherv,
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw,
    reduce_scatter
};
inline constexpr std::array<std::string_view, 22> planned_function_names{"MPI_Barrier",
                                                                         "MPI_Bcast",
                                                                         "MPI_Reduce",
                                                                         "MPI_Allreduce",
                                                                         "MPI_Reduce_scatter_block",
                                                                         "MPI_Scan",
                                                                         "MPI_Exscan",
                                                                         "MPI_Gather",
                                                                         "MPI_Scatter",
                                                                         "MPI_Allgather",
                                                                         "MPI_Alltoall",
                                                                         "MPI_Gatherv",
                                                                         "MPI_Scatterv",
                                                                         "MPI_Allgatherv",
                                                                         "MPI_Alltoallv",
                                                                         "MPI_Alltoallw",
                                                                         "MPI_Neighbor_allgather",
                                                                         "MPI_Neighbor_allgatherv",
                                                                         "MPI_Neighbor_alltoall",
                                                                         "MPI_Neighbor_alltoallv",
                                                                         "MPI_Neighbor_alltoallw",
                                                                         "MPI_Reduce_scatter"};
[[nodiscard]] constexpr std::string_view name_of(planned_function what) noexcept {
    return planned_function_names[static_cast<std::size_t>(what)];
}
/// "MPI_Iallreduce"
[[nodiscard]] inline std::string name_of(planned_function what, bool nonblocking) {
    std::string name{name_of(what)};
    if (nonblocking) name.replace(4, 1, {'I', static_cast<char>(name[4] - 'A' + 'a')});
    return name;
}

/// What MPI makes equal on all ranks of a call: the only thing that may decide who carries it.
struct repeated_call {
    planned_function what = planned_function::barrier;
    int root = -1;
    std::int64_t bytes = 0;     ///< of what a rank gives to, or gets of, one other, or combines with it: of the signature
    std::uint32_t combiner = 0; ///< as in plan/reduction.hpp

    friend bool operator==(repeated_call const&, repeated_call const&) = default;
};

/// Bytes that a rank gives and gets in such a call.
struct shares_of_call {
    std::int64_t given = 0;
    std::int64_t got = 0;
};
[[nodiscard]] constexpr shares_of_call shares_of(repeated_call const& c, int rank, int ranks) noexcept {
    using enum planned_function;
    auto const one = c.bytes, all = c.bytes * ranks;
    bool const root = rank == c.root;
    switch (c.what) {
    case barrier: return {};
    case bcast: return root ? shares_of_call{one, 0} : shares_of_call{0, one};
    case reduce: return {one, root ? one : 0};
    case allreduce:
    case scan: return {one, one};
    case exscan: return {one, rank > 0 ? one : 0};
    case reduce_scatter_block: return {all, one};
    case gather: return {one, root ? all : 0};
    case scatter: return {root ? all : 0, one};
    case allgather: return {one, all};
    case alltoall: return {all, all};
    default: return {}; // each rank has its own
    }
    return {};
}

} // namespace sode::internal::interpose
