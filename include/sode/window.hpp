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

/// How a program that has windows joins its job: as runtime(argc, argv) does, but where an MPI's launcher started it, MPI is
/// initialised for several threads (MPI_THREAD_MULTIPLE), unless SODE_PROGRESS=calls. Other programs need not pay for that.
[[nodiscard]] SODE_API std::unique_ptr<bootstrap> join_with_windows();

/// Which bytes of some memory are meant: blocks of `bytes` bytes, of which the first begins at `offset`; each loop repeats what is
/// behind it `count` times, `stride` bytes apart. The outermost loop comes first, and the order of the blocks is that of the loops.
struct byte_pattern {
    index_t offset = 0;
    index_t bytes = 0;
    struct loop {
        index_t count = 1;
        index_t stride = 0; ///< may be negative
    };
    std::vector<loop> loops{};
};

/// What is done to a word in one piece.
enum class word_operation : std::uint8_t { load, store, add, bit_and, bit_or, bit_xor, compare_exchange };
/// What a word is waited for to be, compared with a value.
enum class word_relation : std::uint8_t { equal, not_equal, at_least };

/// A block of memory of each rank that all ranks read and write by themselves, without the owner's help (one-sided access; MPI
/// calls it a window, too).
///
///     sode::runtime rt{sode::join_with_windows(), argc, argv};
///     sode::window w{rt, 1000 * sizeof(double)};
///     w.put(right, {.offset = 0, .bytes = 80}, values, {.bytes = 80});
///     w.barrier();                                           // all ranks' puts are there
///
/// Ranks of one machine load and store each other's memory. Those of other machines are asked by messages, and a thread of theirs
/// answers, whatever they compute: within 10 ms if it gets a processor. So MPI must allow several threads: join by
/// join_with_windows(), or initialise MPI for MPI_THREAD_MULTIPLE yourself. With SODE_PROGRESS=calls there is no such thread; then
/// a rank answers in all functions of its windows and in runtime::barrier(), and in no others.
///
/// Accesses of one rank to another take place in the order in which they are made. put() returns when `data` may be written again;
/// the bytes are there after flush(), barrier(), or any operation on a word, of the rank that put them. Whoever reads them must
/// know that: by a word that it waits for, or by barrier().
///
/// One thread of a rank uses a window at a time. Source: XcalableMP 1.4, chapter 5 (coarrays); MPI-4.0, chapter 12.
class window {
public:
    /// `bytes` of each rank, zeroed; different ranks may have different numbers. `name`: for messages. Collective.
    /// Errors: environment, if there is no room; usage, between machines, if MPI allows one thread only.
    SODE_API window(runtime& rt, std::size_t bytes, std::string name = "");
    /// The memory of a distributed array, its shadow included. It keeps the memory. Collective. Errors: as above; usage, for memory
    /// that is not the library's (attached), or of a device.
    template <class T, int N> explicit window(array<T, N> const& a) : window(a.halo()) {}
    SODE_API explicit window(detail::halo_source const& array);
    /// Not collective: a rank that still accesses this one's memory gets an error. So call barrier() before.
    SODE_API ~window();
    SODE_API window(window&&) noexcept;
    SODE_API window& operator=(window&&) noexcept;

    [[nodiscard]] SODE_API std::string const& name() const noexcept;
    [[nodiscard]] SODE_API std::size_t bytes(int rank) const;
    /// Where this rank can load and store the block of `rank`; null: it is on another machine. Errors: usage, if there is no such
    /// rank.
    [[nodiscard]] SODE_API std::byte* memory(int rank) const;

    /// Bytes of this rank's memory become bytes of the window of `rank`, one by one in the order of both patterns.
    /// Errors: usage, if the patterns differ in size, or are not in the window; peer; timeout.
    SODE_API void put(int rank, byte_pattern const& to, void const* data, byte_pattern const& from);
    /// The other way. Returns when the bytes are here.
    SODE_API void get(int rank, byte_pattern const& from, void* data, byte_pattern const& to);
    /// The same with blocks of `bytes` bytes anywhere in the window; `data` has them one behind the other.
    SODE_API void put(int rank, std::span<index_t const> offsets, index_t bytes, void const* data);
    SODE_API void get(int rank, std::span<index_t const> offsets, index_t bytes, void* data);

    /// An operation on the word of `bytes` bytes (4 or 8) at `offset`, where offsets are multiples of `bytes`. Returns what it was
    /// before. All puts of this rank are there first. `expected`: of compare_exchange.
    SODE_API std::int64_t word(int rank, std::size_t offset, std::size_t bytes, word_operation what, std::int64_t operand = 0,
                               std::int64_t expected = 0);
    /// Waits until a word is so. Returns it. Errors: peer, if a rank of this machine has died; timeout.
    SODE_API std::int64_t await(int rank, std::size_t offset, std::size_t bytes, word_relation relation, std::int64_t value);

    /// Waits until all that this rank has put, into any window, is there, and goes on with what others ask of it.
    SODE_API void flush();
    /// flush(), and waits for all ranks. Collective.
    SODE_API void barrier();

private:
    struct impl;
    std::unique_ptr<impl> impl_;
};

} // namespace sode
