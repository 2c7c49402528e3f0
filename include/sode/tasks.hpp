// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sode {

/// Ranks that are tasks (`sode run --space=tasks`, `mpirun … sode task`; docs/tasks.md) or threads live in one address space: a
/// pointer of one means the same to all ranks of the node, be it to heap, stack or globals. Arrays and plans use that by
/// themselves; this is for programs that want to. Source: PVAS, paper P1, section 3.

/// True if a pointer of any rank of a node may be followed by all others of it. Equal on all ranks.
[[nodiscard]] bool one_address_space(runtime const& rt) noexcept;

/// The rank whose memory `address` is in: of tasks any of their memory, else of arrays made by Sode. -1: no rank's, or one of
/// another node. No system call. Cost: O(ranks of the node).
[[nodiscard]] int owner_of(runtime const& rt, void const* address) noexcept;

namespace detail {
[[nodiscard]] std::vector<void*> pointers_of_node(runtime const& rt, void* mine);
} // namespace detail

/// Collective. What each rank passed, by rank; null for ranks of other nodes. What is there may be read and written as if it were
/// one's own, with the care that threads take: synchronise, and never call a function of one's own libc on another rank's object
/// (free, a stream, a mutex that is not process-shared). It is gone when its owner ends.
/// Errors: environment, if the ranks of a node do not have one address space.
template <class T> [[nodiscard]] std::vector<T*> pointers(runtime const& rt, T* mine) {
    std::vector<T*> all;
    for (void* p : detail::pointers_of_node(rt, const_cast<std::remove_const_t<T>*>(mine))) all.push_back(static_cast<T*>(p));
    return all;
}

/// Leaves the whole pages of [first, first + bytes) out of the children that this or, in one address space, any rank forks: a fork
/// copies the page tables of *all* tasks, and the owner of a large array then pays a fault for each page that it writes next. The
/// child must not touch that memory.
/// Errors: environment, if there is no such memory.
void leave_out_of_forks(void* first, std::size_t bytes);

} // namespace sode
