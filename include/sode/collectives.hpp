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
// All functions are collective over the ranks of the job: every rank plans collectives in the same order, and starts them in the
// same order. Between start() and wait() the input must not be written, and the output must not be read. The memory must outlive
// the plan. explain() prints the algorithm, its expected time, and the expected time of the second choice.
//
// Ranks read memory of arrays directly. If ranks are tasks or threads, they read any memory directly. Other memory is copied
// through shared memory, and between machines data travel by MPI. Values are combined in the order of the ranks, whatever the
// algorithm. So the results are bitwise identical on all ranks and in all runs.
//
// Errors of all functions, on all ranks alike: usage, for buffers that do not match (for example different lengths), a root that
// does not exist, an unknown algorithm, or an algorithm that cannot run this collective; environment, if there is no memory.
// Cost: O(log ranks) messages to agree, O(neighbours) to bind, microseconds to plan. docs/collectives.md has the details.

namespace sode {

/// Waits until all ranks have started the barrier.
[[nodiscard]] inline planned barrier_init(runtime& rt, collective_options const& options = {}) {
    return detail::plan_collective(rt.job(), {.options = options});
}

/// Copies `values` from rank `root` to `values` on every rank. The number of elements is equal on all ranks.
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

/// Combines `input` from all ranks, element by element, into `output` on rank `root`. The `output` on other ranks is not used, and
/// may be empty. The number of elements is equal on all ranks.
///
/// \param op  sum, product, max, min, band, bor, bxor, land, lor or lxor, if it is defined for T; or operation_by<T>(…)
/// In place: on the root, `output` and `input` are the same memory.
template <class T, class Op>
[[nodiscard]] planned reduce_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op, int root = 0,
                                  collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::reduce, input, output, std::move(op), root, options);
}

/// reduce_init() with the result on every rank, in its `output`. In place: `output` and `input` are the same memory.
template <class T, class Op>
[[nodiscard]] planned allreduce_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                     collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::allreduce, input, output, std::move(op), -1, options);
}

/// Combines `input` from all ranks and splits the result: each rank gets the next part, in the order of the ranks. A part is as
/// long as the rank's `output`. `input` has the same length on all ranks. In place: `output` begins where `input` does.
template <class T, class Op>
[[nodiscard]] planned reduce_scatter_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                          collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::reduce_scatter, input, output, std::move(op), -1, options);
}

/// Combines `input` from the ranks up to and including this one. In place: `output` and `input` are the same memory.
template <class T, class Op>
[[nodiscard]] planned scan_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::scan, input, output, std::move(op), -1, options);
}

/// Combines `input` from the ranks before this one. `output` on rank 0 is not written. In place: `output` and `input` are the same
/// memory.
template <class T, class Op>
[[nodiscard]] planned exscan_init(runtime& rt, std::span<T const> input, std::span<T> output, Op op,
                                  collective_options const& options = {}) {
    return detail::combine_init(rt, detail::collective_code::exscan, input, output, std::move(op), -1, options);
}

/// A memory address, and the bytes that are read or written there, in any layout. A span or a view means all its elements.
struct piece {
    void* memory = nullptr; ///< not written if the piece is an input
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

/// Cuts `all` into consecutive pieces, one for each rank. If the pieces cannot be equal, they do not match the pieces that the
/// ranks pass, and planning reports an error.
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

/// Gathers one piece from each rank on rank `root`: the piece of rank r arrives in all[r], which has the same size. Other ranks do
/// not use `all`. In place: the root passes the same memory as `mine` and as its own entry of `all`.
[[nodiscard]] SODE_API exchange gather_init(runtime& rt, piece const& mine, std::span<piece const> all, int root = 0,
                                            collective_options const& options = {});
/// gather_init(), if all ranks pass the same number of elements. `all` on rank `root` has room for exactly the elements of all
/// ranks, in the order of the ranks.
template <class T, class U>
[[nodiscard]] exchange gather_init(runtime& rt, std::span<T> mine, std::span<U> all, int root = 0,
                                   collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return gather_init(rt, piece{mine}, rt.rank() == root ? detail::equal_pieces(rt, all) : std::vector<piece>{}, root, options);
}

/// The reverse of gather: rank r gets all[r] from rank `root`.
[[nodiscard]] SODE_API exchange scatter_init(runtime& rt, std::span<piece const> all, piece const& mine, int root = 0,
                                             collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange scatter_init(runtime& rt, std::span<T> all, std::span<U> mine, int root = 0,
                                    collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return scatter_init(rt, rt.rank() == root ? detail::equal_pieces(rt, all) : std::vector<piece>{}, piece{mine}, root, options);
}

/// Every rank gets the piece from every rank.
[[nodiscard]] SODE_API exchange allgather_init(runtime& rt, piece const& mine, std::span<piece const> all,
                                               collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange allgather_init(runtime& rt, std::span<T> mine, std::span<U> all, collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return allgather_init(rt, piece{mine}, detail::equal_pieces(rt, all), options);
}

/// Input piece r on rank s becomes output piece s on rank r.
[[nodiscard]] SODE_API exchange alltoall_init(runtime& rt, std::span<piece const> given, std::span<piece const> got,
                                              collective_options const& options = {});
template <class T, class U>
[[nodiscard]] exchange alltoall_init(runtime& rt, std::span<T> given, std::span<U> got, collective_options const& options = {}) {
    static_assert(std::is_same_v<std::remove_const_t<T>, U>, "input and output must have the same element type");
    return alltoall_init(rt, std::span<piece const>{detail::equal_pieces(rt, given)},
                         std::span<piece const>{detail::equal_pieces(rt, got)}, options);
}

/// A piece, and the rank to which it goes or from which it comes.
struct neighbour {
    int rank = nobody;
    piece part{};
};

/// Each rank sends pieces to some ranks and receives pieces from some ranks, as in MPI's neighbourhood collectives. Several pieces
/// between two ranks are matched in the order of the lists. A rank may send to itself.
[[nodiscard]] SODE_API exchange neighbour_alltoall_init(runtime& rt, std::span<neighbour const> given,
                                                        std::span<neighbour const> got, collective_options const& options = {});
/// Sends the same piece to all ranks of `targets`.
[[nodiscard]] SODE_API exchange neighbour_allgather_init(runtime& rt, piece const& mine, std::span<int const> targets,
                                                         std::span<neighbour const> got, collective_options const& options = {});

} // namespace sode
