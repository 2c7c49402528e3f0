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

/// Ranks that are tasks or threads share one address space: a pointer to one rank's heap, stack or global variables is valid in all
/// ranks on the machine. Start tasks with `sode run --space=tasks` or `mpirun … sode task` (see docs/tasks.md). Arrays and plans
/// use the common address space automatically. With the functions in this header, programs can use the common address space, too.
/// The idea of tasks is from section 3 of a paper by Shimada and others about PVAS (in Japanese; see docs/references.md).

/// True if a pointer from any rank is valid in all ranks on the same machine. The result is equal on all ranks. The cost is one
/// load from memory.
[[nodiscard]] SODE_API bool one_address_space(runtime const& rt) noexcept;

/// Returns the rank that owns the memory at `address`, or -1 if no rank on this machine owns the memory. For tasks, any address can
/// have an owner, even if no memory is mapped at the address. For processes, only arrays that Sode allocated have an owner. After a
/// rank has ended, the rank still owns its memory until another task takes the rank's place. owner_of() makes no system call, and
/// is not collective. The cost is one comparison for each rank of the job, a few nanoseconds in total.
[[nodiscard]] SODE_API int owner_of(runtime const& rt, void const* address) noexcept;

namespace detail {
[[nodiscard]] SODE_API std::vector<void*> pointers_of_machine(runtime const& rt, void* mine);
} // namespace detail

/// Returns the pointers that the ranks passed, in rank order, with null for ranks on other machines. pointers() is collective. All
/// ranks on the machine may read and write through the returned pointers, but must synchronise like threads. Each rank has its own
/// C library, so do not pass another rank's objects to C functions. For example, do not free another rank's memory or write to
/// another rank's streams. Lock another rank's mutex only if the mutex is process-shared.
///
/// After the owner frees or unmaps memory, no rank can access this memory. After the owner ends, its memory stays readable: reads
/// return the last contents, without an error. The memory stays readable until another task takes the owner's place, or until all
/// tasks have ended. If other ranks read a rank's memory, call a barrier before the rank ends. Throws an environment error if the
/// ranks on a machine do not share an address space. The cost is an allgather of 8 bytes from each rank.
template <class T> [[nodiscard]] std::vector<T*> pointers(runtime const& rt, T* mine) {
    std::vector<T*> all;
    for (void* p : detail::pointers_of_machine(rt, const_cast<std::remove_const_t<T>*>(mine))) all.push_back(static_cast<T*>(p));
    return all;
}

namespace detail {
SODE_API void leave_out_of_forks(runtime& rt, std::byte const* first, std::size_t bytes);
} // namespace detail

/// Excludes an array that Sode allocated (all elements of the view) from processes that any task later forks. A fork copies the
/// page tables of *all* tasks. After a fork, the first write to each page causes a page fault, but not for excluded pages. The
/// child process must not access an excluded array. Sode excludes memory in pieces of 64 KiB, or of a huge page.
/// A piece that contains other data, too, is not excluded. Therefore small arrays are not excluded. The exclusion ends when
/// the array is destroyed.
///
/// For your own memory, call madvise(…, MADV_DONTFORK) yourself. Memory that is passed to madvise() must not share a page with
/// other data. Memory from malloc() usually shares pages with other data. Throws a usage error for memory that Sode did not
/// allocate. Throws an environment error if the kernel refuses the system call. The cost is one system call.
template <class T, int N> void leave_out_of_forks(runtime& rt, view<T, N> const& array) {
    std::size_t elements = 1;
    for (std::size_t d = 0; d < N; ++d) {
        if (array.extent(d) == 0) return;
        elements += static_cast<std::size_t>((array.extent(d) - 1) * array.stride(d));
    }
    detail::leave_out_of_forks(rt, reinterpret_cast<std::byte const*>(array.data_handle()), elements * sizeof(T));
}

} // namespace sode
