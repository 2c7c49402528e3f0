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

/// Connects this process to the other processes of its job, for a program that uses windows. If an MPI launcher started the
/// program, join_with_windows() initialises MPI with MPI_THREAD_MULTIPLE, unless SODE_PROGRESS=calls is set. Programs without
/// windows should not call join_with_windows(), because MPI_THREAD_MULTIPLE has a cost.
[[nodiscard]] SODE_API std::unique_ptr<bootstrap> join_with_windows();

/// A selection of bytes in a window or in local memory: blocks of `bytes` bytes. The first block starts at `offset`. The loops are
/// nested, and the outermost loop comes first. Each loop repeats the block and all inner loops `count` times, `stride` bytes apart.
/// The blocks are in the order in which the loops visit the blocks.
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
/// Comparison operators for await(), which compares a window word with a value.
enum class word_relation : std::uint8_t { equal, not_equal, at_least };

/// A block of memory on each rank for one-sided access, like an MPI window. Every rank can read and write the block of any other
/// rank without a call by the owner.
///
///     sode::runtime rt{sode::join_with_windows(), argc, argv};
///     sode::window w{rt, 1000 * sizeof(double)};
///     w.put(right, {.offset = 0, .bytes = 80}, values, {.bytes = 80});
///     w.barrier();                                           // the puts of all ranks are complete
///
/// Ranks on the same machine load from and store to each other's memory. An access to a rank on another machine is a message. A
/// progress thread of the target rank serves the message within 10 ms, even while the rank computes, if the thread gets a CPU.
/// Because of the progress thread, MPI must allow several threads. Join the job with join_with_windows(), or initialise MPI with
/// MPI_THREAD_MULTIPLE. With SODE_PROGRESS=calls, there is no progress thread. Without a progress thread, a rank serves requests
/// only in functions of its windows and in runtime::barrier().
///
/// Accesses from one rank to another rank are performed in the order of the calls. When put() returns, `data` may be reused. A put
/// is complete after the same rank has called flush(), barrier(), or any operation on a window word. Before another rank reads the
/// bytes of a put, the other rank must wait for a window word or call barrier().
///
/// Only one thread of a rank may use a window at a time. The model is XcalableMP 1.4, chapter 5 (coarrays), and MPI-4.0, chapter 12
/// (one-sided communication).
class window {
public:
    /// Allocates `bytes` zeroed bytes on this rank. Ranks may pass different numbers of bytes. Error messages show `name`. The
    /// constructor is collective.
    /// Throws an environment error if there is not enough memory. Throws a usage error if the ranks are on several machines and MPI
    /// allows only one thread.
    SODE_API window(runtime& rt, std::size_t bytes, std::string name = "");
    /// Creates a window from the memory of a distributed array, including the shadow. The window keeps the array's memory alive.
    /// The constructor is collective. Throws a usage error if the array is attached or in device memory. The errors of the
    /// constructor that allocates memory are also possible.
    template <class T, int N> explicit window(array<T, N> const& a) : window(a.halo()) {}
    SODE_API explicit window(detail::halo_source const& array);
    /// Creates a window from `bytes` bytes of memory that only the owner can access (see <sode/window_memory.hpp>). The constructor
    /// is collective. Throws the same errors as the constructor that allocates host memory.
    SODE_API window(runtime& rt, std::size_t bytes, std::shared_ptr<window_memory> memory, std::string name = "");
    /// The destructor is not collective. Call barrier() before you destroy a window, because a rank that accesses a destroyed
    /// window gets an error.
    SODE_API ~window();
    SODE_API window(window&&) noexcept;
    SODE_API window& operator=(window&&) noexcept;

    [[nodiscard]] SODE_API std::string const& name() const;
    [[nodiscard]] SODE_API std::size_t bytes(int rank) const;
    /// Returns the address by which this rank can directly access the block of `rank`, or null if `rank` is on another machine.
    /// Throws a usage error if the rank does not exist.
    [[nodiscard]] SODE_API std::byte* memory(int rank) const;

    /// Copies the bytes in this rank's memory that `from` selects to the bytes in the window of `rank` that `to` selects. Throws a
    /// usage error if the patterns differ in size, or if `to` extends beyond the window. Throws a peer error if another rank dies
    /// or leaves the job, and a timeout error after SODE_TIMEOUT seconds.
    SODE_API void put(int rank, byte_pattern const& to, void const* data, byte_pattern const& from);
    /// Copies bytes from the window of `rank` to this rank's memory. get() returns when the bytes have arrived.
    SODE_API void get(int rank, byte_pattern const& from, void* data, byte_pattern const& to);
    /// Like put() and get() with patterns, for blocks of `bytes` bytes at arbitrary offsets in the window. In `data`, the blocks
    /// are contiguous.
    SODE_API void put(int rank, std::span<index_t const> offsets, index_t bytes, void const* data);
    SODE_API void get(int rank, std::span<index_t const> offsets, index_t bytes, void* data);

    /// Applies an atomic operation to a word in the window of `rank`, and returns the value before the operation. The word has
    /// `bytes` bytes (4 or 8) and begins at `offset`, which must be a multiple of `bytes`. All earlier puts by this rank complete
    /// before the operation. Only compare_exchange uses `expected`.
    SODE_API std::int64_t word(int rank, std::size_t offset, std::size_t bytes, word_operation what, std::int64_t operand = 0,
                               std::int64_t expected = 0);
    /// Waits until the comparison of a window word with `value` is true, and returns the word. Throws a peer error if a rank on
    /// this machine has died, and a timeout error after SODE_TIMEOUT seconds.
    SODE_API std::int64_t await(int rank, std::size_t offset, std::size_t bytes, word_relation relation, std::int64_t value);

    /// Waits until all puts by this rank, into any window, are complete. During the wait, flush() serves requests from other ranks.
    SODE_API void flush();
    /// Calls flush(), and then waits until all ranks have called barrier(). The call is collective.
    SODE_API void barrier();

private:
    struct impl;
    [[nodiscard]] impl& made() const; // the implementation; an error if the window was moved from
    std::unique_ptr<impl> impl_;
};

} // namespace sode
