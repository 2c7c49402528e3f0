// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/detail/collective_call.hpp>
#include <sode/exchange.hpp>

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Collectives, planned once and run many times (the persistent collectives of MPI-4).
//
//     std::vector<double> mine(n), all(n);
//     auto sums = sode::allreduce_init(rt, std::span<double const>{mine}, std::span{all}, sode::sum);
//     for (int t = 0; t < steps; ++t) {
//         fill(mine);
//         sums.start();
//         compute_something_else();
//         sums.wait();            // `all` holds the sums of all ranks
//     }
//
// All functions are collective over the ranks of the job. Every rank must plan the collectives in the same order, and start the
// collectives in the same order. Between start() and wait(), the program must not write the input or read the output. The input and
// output memory must outlive the plan. explain() prints the algorithm, its predicted time, and the predicted time of the
// second-best algorithm.
//
// On a machine, ranks read each other's arrays directly. Ranks that are tasks or threads also read each other's other memory
// directly. All other data are copied through shared memory, or sent by MPI between machines. Every algorithm combines values in
// rank order. The results are bitwise identical on all ranks and in all runs.
//
// All ranks throw a usage error for buffers that do not match (for example different lengths), or for a root that does not exist.
// All ranks throw a usage error for an algorithm that does not exist, or that cannot run the collective. All ranks throw an
// environment error if there is not enough memory. Planning costs O(log ranks) messages to compare the arguments of all ranks,
// O(neighbours) messages to exchange addresses, and microseconds of computation. See docs/collectives.md for details.

namespace sode {

/// Plans a barrier: wait() returns when all ranks have called start().
[[nodiscard]] inline planned barrier_init(runtime& rt, collective_options const& options = {}) {
    return detail::plan_collective(rt.job(), {.options = options});
}

/// Plans a broadcast, which copies `values` from rank `root` to all other ranks. All ranks pass the same number of elements.
template <class T, std::size_t Extent>
[[nodiscard]] planned broadcast_init(runtime& rt, std::span<T, Extent> values, int root = 0,
                                     collective_options const& options = {}) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_const_v<T>,
                  "a broadcast copies values as bytes, and writes them on all ranks but the root: their type must be trivially "
                  "copyable, and not const");
    auto const bytes = std::as_writable_bytes(values);
    return detail::plan_collective(
        rt.job(), {.kind = detail::collective_code::broadcast, .root = root, .input = bytes, .output = bytes, .options = options});
}

namespace detail {

template <class T, class Op>
[[nodiscard]] planned combine_init(runtime& rt, collective_code kind, std::span<T const> input, std::span<T> output, Op op,
                                   int root, collective_options const& options) {
    return plan_collective(rt.job(), {.kind = kind,
                                      .root = root,
                                      .input = std::as_bytes(input),
                                      .output = std::as_writable_bytes(output),
                                      .how = combination_of<T>(std::move(op)),
                                      .options = options});
}

} // namespace detail

/// Plans a reduction, which combines `input` from all ranks, element by element, into `output` on rank `root`. On other ranks,
/// `output` is ignored and may be empty. All ranks pass the same number of elements.
///
/// \param op  sum, product, max, min, band, bor, bxor, land, lor or lxor, if defined for T; or operation_by<T>(…)
///
/// For a reduction in place, rank `root` passes the same memory as `output` and `input`.
template <class T, class Op>
[[nodiscard]] planned reduce_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op, int root = 0,
                                  collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::reduce, input, output, std::move(op), root, options);
}

/// Plans an allreduce: `output` receives the result on every rank. For a reduction in place, pass the same memory as `output` and
/// `input`.
template <class T, class Op>
[[nodiscard]] planned allreduce_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                     collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::allreduce, input, output, std::move(op), -1, options);
}

/// Plans a reduce-scatter: each rank gets one part of the result, in rank order. The part of a rank is as long as the rank's
/// `output`. All ranks pass an `input` of the same length. For a reduction in place, `output` starts at the same address as
/// `input`.
template <class T, class Op>
[[nodiscard]] planned reduce_scatter_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                          collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::reduce_scatter, input, output, std::move(op), -1, options);
}

/// Plans an inclusive scan, which combines `input` from all ranks up to and including this rank. For a scan in place, pass the same
/// memory as `output` and `input`.
template <class T, class Op>
[[nodiscard]] planned scan_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::scan, input, output, std::move(op), -1, options);
}

/// Plans an exclusive scan, which combines `input` from all ranks before this rank. On rank 0, `output` is not written. For a scan
/// in place, pass the same memory as `output` and `input`.
template <class T, class Op>
[[nodiscard]] planned exscan_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                  collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::exscan, input, output, std::move(op), -1, options);
}

/// Describes the bytes that a collective reads or writes, by an address and a layout. A span or a view converts to a piece that
/// contains all elements of the span or view.
struct piece {
    void* memory = nullptr; ///< read-only if the piece is an input
    datatype what{};

    piece() = default;
    piece(void* where, datatype which) : memory(where), what(std::move(which)) {}
    piece(void const* where, datatype which) : memory(const_cast<void*>(where)), what(std::move(which)) {}
    template <class T, std::size_t Extent>
    piece(std::span<T, Extent> elements) // NOLINT(google-explicit-constructor): a span is one
        : piece(static_cast<void const*>(elements.data()), datatype::contiguous(static_cast<index_t>(elements.size_bytes()))) {}
    template <strided View>
    piece(View const& v) // NOLINT(google-explicit-constructor): so is a view
        : piece(static_cast<void const*>(detail::first_of(v)), datatype::of(v)) {}
};

namespace detail {

/// Splits `all` into consecutive pieces, one for each rank. The length of `all` must be divisible by the number of ranks; otherwise
/// planning reports an error.
template <class T, std::size_t Extent> [[nodiscard]] std::vector<piece> equal_pieces(runtime& rt, std::span<T, Extent> all) {
    auto const ranks = static_cast<std::size_t>(rt.size());
    std::vector<piece> list;
    for (std::size_t r = 0, first = 0; r < ranks; ++r) {
        auto const last = first + (all.size() - first) / (ranks - r);
        list.emplace_back(all.subspan(first, last - first));
        first = last;
    }
    return list;
}

} // namespace detail

/// Plans a gather: rank `root` receives one piece from each rank. The piece from rank r arrives in all[r], which must have the same
/// size. On other ranks, `all` is ignored. For a gather in place, rank `root` passes the same memory as `mine` and as its own entry
/// in `all`.
[[nodiscard]] SODE_API exchange gather_init(runtime& rt, piece const& mine, std::span<piece const> all, int root = 0,
                                            collective_options const& options = {});
/// Plans a gather of the same number of elements from every rank. On rank `root`, the length of `all` must be the total number of
/// elements of all ranks.
template <class T, class U>
[[nodiscard]] exchange gather_init(runtime& rt, std::span<T> mine, std::span<U> all, int root = 0,
                                   collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return gather_init(rt, piece{mine}, rt.rank() == root ? detail::equal_pieces(rt, all) : std::vector<piece>{}, root, options);
}

/// Plans a scatter: rank r receives all[r] from rank `root`.
[[nodiscard]] SODE_API exchange scatter_init(runtime& rt, std::span<piece const> all, piece const& mine, int root = 0,
                                             collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange scatter_init(runtime& rt, std::span<T> all, std::span<U> mine, int root = 0,
                                    collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return scatter_init(rt, rt.rank() == root ? detail::equal_pieces(rt, all) : std::vector<piece>{}, piece{mine}, root, options);
}

/// Plans an allgather: every rank receives the pieces of all ranks.
[[nodiscard]] SODE_API exchange allgather_init(runtime& rt, piece const& mine, std::span<piece const> all,
                                               collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange allgather_init(runtime& rt, std::span<T> mine, std::span<U> all, collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return allgather_init(rt, piece{mine}, detail::equal_pieces(rt, all), options);
}

/// Plans an all-to-all: input piece r of rank s is copied to output piece s of rank r.
[[nodiscard]] SODE_API exchange alltoall_init(runtime& rt, std::span<piece const> given, std::span<piece const> got,
                                              collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange alltoall_init(runtime& rt, std::span<T> given, std::span<U> got, collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return alltoall_init(rt, std::span<piece const>{detail::equal_pieces(rt, given)},
                         std::span<piece const>{detail::equal_pieces(rt, got)}, options);
}

/// A piece, and the rank to which the piece is sent or from which the piece is received.
struct neighbour {
    int rank = nobody;
    piece part{};
};

/// Plans a neighbourhood all-to-all: each rank exchanges pieces with a list of ranks. If two ranks exchange several pieces, the
/// pieces are matched in list order. A rank may send to itself.
[[nodiscard]] SODE_API exchange neighbour_alltoall_init(runtime& rt, std::span<neighbour const> given,
                                                        std::span<neighbour const> got, collective_options const& options = {});
/// Plans a neighbourhood allgather, which sends the same piece to every rank in `targets`.
[[nodiscard]] SODE_API exchange neighbour_allgather_init(runtime& rt, piece const& mine, std::span<int const> targets,
                                                         std::span<neighbour const> got, collective_options const& options = {});

} // namespace sode
