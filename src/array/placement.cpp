// SPDX-License-Identifier: Apache-2.0
#include "array/placement.hpp"

#include "layout/cache_line.hpp"
#include "model/job.hpp"

namespace sode::internal {
namespace {

std::size_t first_owned(geometry const& g, int rank) {
    auto const own = g.owned(rank);
    if (own[0].size() == 0) return 0; // a full shadow, and nothing else
    std::array<index_t, max_dims> at{};
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) at[d] = own[d].lower;
    return static_cast<std::size_t>(g.offset(rank, at));
}

} // namespace

std::shared_ptr<std::byte> allocate_block(detail::job& j, geometry const& g, int rank) {
    auto const bytes = static_cast<std::size_t>(g.bytes(rank));
    bool const small = g.component_bytes(rank) < cache_reach;
    // Elements that are not parts of a line are aligned as their block is.
    auto const first = line % g.element_bytes == 0 ? first_owned(g, rank) : 0;
    std::size_t const room = bytes + static_cast<std::size_t>(small ? line : cache_reach);
    std::byte* const block = j.memory->allocate(room);
    auto before = free_before(reinterpret_cast<std::uintptr_t>(block), first, j.stagger);
    if (small)
        before %= static_cast<std::size_t>(line);
    else
        j.stagger += static_cast<unsigned>(g.components);
    return {block + before, [block, room, keeps = j.shared_from_this()](std::byte*) { keeps->freed.release(block, room); }};
}

} // namespace sode::internal
