// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sode {

class window_memory;

/// Joins the job of a program that uses windows. The only difference from runtime(argc, argv): if an MPI launcher started the
/// program, MPI is initialised for several threads (MPI_THREAD_MULTIPLE), unless SODE_PROGRESS=calls. Programs without windows
/// avoid the cost of several threads.
[[nodiscard]] SODE_API std::unique_ptr<bootstrap> join_with_windows();

/// A selection of bytes in a window or in local memory: blocks of `bytes` bytes. The first block starts at `offset`. Each loop
/// repeats the later loops and the block `count` times, `stride` bytes apart. The outermost loop comes first. The blocks are in the
/// order in which the loops visit them.
struct byte_pattern {
    index_t offset = 0;
    index_t bytes = 0;
    struct loop {
        index_t count = 1;
        index_t stride = 0; ///< may be negative
    };
    std::vector<loop> loops{};
};

/// Atomic operations on a window word.
enum class word_operation : std::uint8_t { load, store, add, bit_and, bit_or, bit_xor, compare_exchange };
/// The comparison of a window word with a value that await() waits for.
enum class word_relation : std::uint8_t { equal, not_equal, at_least };

/// A block of memory on each rank. Every rank can read and write the block of any other rank, without a call by the owner
/// (one-sided access, as in an MPI window).
///
///     sode::runtime rt{sode::join_with_windows(), argc, argv};
///     sode::window w{rt, 1000 * sizeof(double)};
///     w.put(right, {.offset = 0, .bytes = 80}, values, {.bytes = 80});
///     w.barrier();                                           // the puts of all ranks are complete
///
/// Ranks on the same machine load from and store to each other's memory. An access to another machine is a message. A progress
/// thread of the target rank serves the message while the rank computes, within 10 ms if the thread gets a CPU. So MPI must allow
/// several threads: join the job with join_with_windows(), or initialise MPI with MPI_THREAD_MULTIPLE. With SODE_PROGRESS=calls
/// there is no progress thread. Without a progress thread, a rank serves requests only in functions of its windows and in
/// runtime::barrier().
///
/// Accesses from one rank to another are performed in the order of the calls. When put() returns, `data` may be reused. The put is
/// complete after the same rank has called flush(), barrier(), or any operation on a window word. Before another rank reads these
/// bytes, that rank must wait for a word or call barrier(), so that the bytes have arrived.
///
/// Only one thread of a rank may use a window at a time. Source: XcalableMP 1.4, chapter 5 (coarrays); MPI-4.0, chapter 12.
class window {
public:
    /// Allocates `bytes` zeroed bytes on this rank; ranks may pass different numbers. `name`: shown in messages. Collective.
    /// Errors: environment, if there is not enough memory; usage, between machines, if MPI allows only one thread.
    SODE_API window(runtime& rt, std::size_t bytes, std::string name = "");
    /// Creates a window from the memory of a distributed array, including the shadow. The window keeps the memory alive.
    /// Collective. Errors: as for the first constructor; usage, if the array is attached or in device memory.
    template <class T, int N> explicit window(array<T, N> const& a) : window(a.halo()) {}
    SODE_API explicit window(detail::halo_source const& array);
    /// Creates a window from `bytes` bytes of memory that only its owner can access: see <sode/window_memory.hpp>. Collective.
    /// Errors: as for the first constructor.
    SODE_API window(runtime& rt, std::size_t bytes, std::shared_ptr<window_memory> memory, std::string name = "");
    /// Not collective. If another rank still accesses this rank's memory, that rank gets an error, so call barrier() first.
    SODE_API ~window();
    SODE_API window(window&&) noexcept;
    SODE_API window& operator=(window&&) noexcept;

    [[nodiscard]] SODE_API std::string const& name() const;
    [[nodiscard]] SODE_API std::size_t bytes(int rank) const;
    /// The address by which this rank can directly access the block of `rank`; null if `rank` is on another machine. Errors: usage,
    /// if the rank does not exist.
    [[nodiscard]] SODE_API std::byte* memory(int rank) const;

    /// Copies bytes from this rank's memory to the window of `rank`, in the order of both patterns. Errors: usage, if the patterns
    /// differ in size, or if `to` extends beyond the window; peer; timeout.
    SODE_API void put(int rank, byte_pattern const& to, void const* data, byte_pattern const& from);
    /// Copies bytes from the window of `rank` to this rank's memory. Returns when the bytes have arrived.
    SODE_API void get(int rank, byte_pattern const& from, void* data, byte_pattern const& to);
    /// Put and get for blocks of `bytes` bytes at arbitrary offsets in the window. In `data`, the blocks are contiguous.
    SODE_API void put(int rank, std::span<index_t const> offsets, index_t bytes, void const* data);
    SODE_API void get(int rank, std::span<index_t const> offsets, index_t bytes, void* data);

    /// Applies an atomic operation to the window word of `bytes` bytes (4 or 8) at `offset`, which must be a multiple of `bytes`.
    /// Returns the value before the operation. All earlier puts by this rank complete before the operation. `expected`: only for
    /// compare_exchange.
    SODE_API std::int64_t word(int rank, std::size_t offset, std::size_t bytes, word_operation what, std::int64_t operand = 0,
                               std::int64_t expected = 0);
    /// Waits until the comparison of the word with the value is true, and returns the word. Errors: peer, if a rank on this machine
    /// has died; timeout.
    SODE_API std::int64_t await(int rank, std::size_t offset, std::size_t bytes, word_relation relation, std::int64_t value);

    /// Waits until all puts by this rank, into any window, are complete. Serves requests from other ranks meanwhile.
    SODE_API void flush();
    /// flush(), and then waits until all ranks have called barrier(). Collective.
    SODE_API void barrier();

private:
    struct impl;
    [[nodiscard]] impl& made() const; // the implementation; an error if the window was moved from
    std::unique_ptr<impl> impl_;
};

} // namespace sode
