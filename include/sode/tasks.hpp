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

/// Ranks that are tasks (`sode run --space=tasks`, `mpirun … sode task`; docs/tasks.md) or threads share one address space: a
/// pointer to one rank's heap, stack or global variables is valid in all ranks on the machine. Arrays and plans use the common
/// address space automatically. With the functions below, programs can use the common address space, too. Source: Shimada et al. on
/// PVAS, section 3 (in Japanese; docs/references.md).

/// True if a pointer from any rank is valid in all ranks on its machine. The result is equal on all ranks. Cost: a load.
[[nodiscard]] SODE_API bool one_address_space(runtime const& rt) noexcept;

/// The rank that owns the memory at `address`; -1: no rank on this machine. For tasks, any memory counts, even if it is not mapped;
/// for processes, only arrays that Sode allocated. Memory of a rank that has ended still belongs to this rank, until another task
/// takes its place. Makes no system call; not collective. Cost: one comparison for each rank of the job, a few nanoseconds in
/// total.
[[nodiscard]] SODE_API int owner_of(runtime const& rt, void const* address) noexcept;

namespace detail {
[[nodiscard]] SODE_API std::vector<void*> pointers_of_machine(runtime const& rt, void* mine);
} // namespace detail

/// Returns the pointers that the ranks passed, in rank order; null for ranks on other machines. Collective. All ranks on the
/// machine may read and write through these pointers, but must synchronise like threads. Each rank has its own C library, so do not
/// pass another rank's objects to C functions: do not free its memory, write to its streams, or lock its mutexes unless they are
/// process-shared.
///
/// When the owner frees or unmaps the memory, no rank can access it any more. When the owner ends, its memory stays readable: reads
/// return the last contents, without an error. The memory stays readable until another task takes the owner's place, or until no
/// task is left. So if other ranks read a rank's memory, call a barrier before that rank ends. Errors: environment, if the ranks on
/// a machine do not share an address space. Cost: an allgather of 8 bytes from each rank.
template <class T> [[nodiscard]] std::vector<T*> pointers(runtime const& rt, T* mine) {
    std::vector<T*> all;
    for (void* p : detail::pointers_of_machine(rt, const_cast<std::remove_const_t<T>*>(mine))) all.push_back(static_cast<T*>(p));
    return all;
}

namespace detail {
SODE_API void leave_out_of_forks(runtime& rt, std::byte const* first, std::size_t bytes);
} // namespace detail

/// Excludes the memory of an array that Sode allocated (all elements of the view) from processes that any task forks from now on. A
/// fork copies the page tables of *all* tasks. After a fork, the first write to each page causes a page fault; excluded pages avoid
/// this. The child process must not access the array. Only whole granules (64 KiB, or a huge page) that contain nothing but the
/// array are excluded, so a small array is not excluded. The exclusion ends when the array is destroyed.
///
/// For your own memory, call madvise(…, MADV_DONTFORK) yourself. Memory that is passed to madvise() must not share a page with
/// other data. Memory from malloc() usually shares pages. Errors: usage, for memory that Sode did not allocate; environment, if the
/// kernel refuses. Cost: a system call.
template <class T, int N> void leave_out_of_forks(runtime& rt, view<T, N> const& array) {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < N; ++d) {
        if (array.extent(d) == 0) return;
        elements += static_cast<std::size_t>((array.extent(d) - 1) * array.stride(d));
    }
    detail::leave_out_of_forks(rt, reinterpret_cast<std::byte const*>(array.data_handle()), elements * sizeof(T));
}

} // namespace sode
