// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/runtime.hpp>
#include <sode/view.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sode {

/// Ranks that are tasks (`sode run --space=tasks`, `mpirun … sode task`; docs/tasks.md) or threads live in one address space: a
/// pointer of one means the same to all ranks of the machine, be it to heap, stack or globals. Arrays and plans use that by
/// themselves; this is for programs that want to. Source: PVAS, paper P1, section 3.

/// True if a pointer of any rank of a machine may be followed by all others of it. Equal on all ranks. Cost: a load.
[[nodiscard]] SODE_API bool one_address_space(runtime const& rt) noexcept;

/// The rank whose memory `address` is in: of tasks any of their memory, mapped or not, else of arrays made by Sode. -1: no rank's,
/// or one of another machine. The memory of a rank that has ended is still that rank's, until another task takes its place. No
/// system call, not collective. Cost: a comparison for each rank of the job, some nanoseconds in all.
[[nodiscard]] SODE_API int owner_of(runtime const& rt, void const* address) noexcept;

namespace detail {
[[nodiscard]] SODE_API std::vector<void*> pointers_of_machine(runtime const& rt, void* mine);
} // namespace detail

/// Collective. What each rank passed, by rank; null for ranks of other machines. What is there may be read and written as if it
/// were one's own, with the care that threads take: synchronise, and never call a function of one's own libc on another rank's
/// object (free, a stream, a mutex that is not process-shared).
///
/// What its owner frees or unmaps is gone for all. What it still has when it ends stays readable, with the bytes that were there
/// last, until another task takes its place or no task is left; nobody is told that they are old. So let all ranks meet (a barrier)
/// before one ends whose memory others look at.
/// Errors: environment, if the ranks of a machine do not have one address space. Cost: that of an allgather of 8 bytes a rank.
template <class T> [[nodiscard]] std::vector<T*> pointers(runtime const& rt, T* mine) {
    std::vector<T*> all;
    for (void* p : detail::pointers_of_machine(rt, const_cast<std::remove_const_t<T>*>(mine))) all.push_back(static_cast<T*>(p));
    return all;
}

namespace detail {
SODE_API void leave_out_of_forks(runtime& rt, std::byte const* first, std::size_t bytes);
} // namespace detail

/// Leaves an array's memory (what the view shows, of one that Sode has made) out of the children that this rank forks from now on
/// or, in one address space, that any does: a fork copies the page tables of *all* tasks, and the owner of a large array then pays
/// a fault for each page that it writes next. A child must not touch the array. Memory comes in granules, 64 KiB or a huge page,
/// and only those that are the array's alone are left out; so of a small array nothing is. It holds until the array ends.
///
/// For memory of your own, which must share no page with anything else (malloc's does), call madvise(…, MADV_DONTFORK) yourself.
/// Errors: usage, for memory that Sode has not made; environment, if the kernel refuses. Cost: a system call.
template <class T, int N> void leave_out_of_forks(runtime& rt, view<T, N> const& array) {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < N; ++d) {
        if (array.extent(d) == 0) return;
        elements += static_cast<std::size_t>((array.extent(d) - 1) * array.stride(d));
    }
    detail::leave_out_of_forks(rt, reinterpret_cast<std::byte const*>(array.data_handle()), elements * sizeof(T));
}

} // namespace sode
