// SPDX-License-Identifier: Apache-2.0
#include "space/arena_space.hpp"

#include "base/byte_text.hpp"
#include "base/system_error.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sode::internal {
namespace {

/// What two ranges have in common.
arena::range common(arena::range a, arena::range b) noexcept {
    auto const first = std::max(a.offset, b.offset), last = std::min(a.end(), b.end());
    return first < last ? arena::range{first, last - first} : arena::range{};
}

void clear(std::byte* base, arena::range r) noexcept {
    std::memset(base + r.offset, 0, r.bytes);
}

/// Blocks share granules, so the ends of a new block may lie on memory that another one has used before. Clears what is `zeroed`.
void clear_used_ends(std::byte* base, arena::block const& block, arena::range zeroed) noexcept {
    auto const& [place, fresh] = block;
    auto const fresh_from = fresh.bytes == 0 ? place.end() : std::max(fresh.offset, place.offset);
    auto const fresh_to = fresh.bytes == 0 ? place.end() : std::min(fresh.end(), place.end());
    clear(base, common({place.offset, fresh_from - place.offset}, zeroed));
    clear(base, common({fresh_to, place.end() - fresh_to}, zeroed));
}

} // namespace

arena_space::arena_space(places where, arena_layout layout)
    : where_(std::move(where)), members_(where_.machines.on(where_.machines.of(where_.rank))), granule_(layout.granule),
      arena_(layout.bytes, layout.granule) {}

bool arena_space::contains(int rank) const noexcept {
    return members_.place_of(rank) >= 0;
}

std::byte* arena_space::allocate_for_overwrite(std::size_t bytes, std::size_t zeroed) {
    auto const block = arena_.take(bytes);
    if (!block)
        throw error{error_kind::environment, fmt::format("no room for {} in the shared memory of a rank", byte_text(bytes)),
                    fmt::format("{} of {} are in use, the largest free block has {}", byte_text(arena_.in_use()),
                                byte_text(arena_.size()), byte_text(arena_.largest_hole())),
                    "use smaller arrays or more ranks, or raise SODE_SEGMENT_SIZE"};
    // All of it, where all is asked for: a block is somewhat longer.
    arena::range const cleared{block->place.offset, zeroed < bytes ? zeroed : block->place.bytes};
    if (block->granules.bytes != 0) {
        try {
            back(block->granules, cleared);
        } catch (...) {
            arena_.give(block->place.offset, bytes); // its granules have been given back
            throw;
        }
    }
    clear_used_ends(where_.own->base(), *block, cleared);
    return where_.own->base() + block->place.offset;
}

// Throws with nothing of `granules` backed. What comes from the kernel reads as zero; of what was kept, `zeroed` is cleared.
void arena_space::back(arena::range granules, arena::range zeroed) {
    auto& own = *where_.own;
    auto const give_back = [&](arena::range r) { own.give_back(r.offset, r.bytes); };
    try {
        auto const clear_kept = [&](arena::range r) { clear(own.base(), common(r, zeroed)); };
        kept_.take(
            granules, clear_kept, [&](arena::range r) { own.reserve(r.offset, r.bytes); }, give_back);
    } catch (...) {
        auto const leave = [](arena::range) {};
        kept_.take(granules, leave, leave, give_back);
        give_back(granules);
        throw;
    }
    // Fails only where nothing is mapped, and here something is.
    if (some_left_out_) ::madvise(own.base() + granules.offset, granules.bytes, MADV_DOFORK);
}

void arena_space::release(std::byte* block, std::size_t bytes) noexcept {
    auto const unused = arena_.give(offset(block), bytes);
    if (unused.bytes != 0 && !kept_.keep(unused)) where_.own->give_back(unused.offset, unused.bytes);
}

bool arena_space::leave_out_of_forks(std::byte const* first, std::size_t bytes) {
    auto const begin = offset(first); // of what lies below, beyond the end
    if (begin >= arena_.size() || bytes > arena_.size() - begin) return false;
    auto const from = (begin + granule_ - 1) / granule_ * granule_;
    auto const to = (begin + bytes) / granule_ * granule_;
    if (from >= to) return true;
    some_left_out_ = true;
    if (::madvise(where_.own->base() + from, to - from, MADV_DONTFORK) != 0)
        throw system_error(fmt::format("{} cannot be excluded from forks", byte_text(to - from)), "madvise",
                           "raise vm.max_map_count");
    return true;
}

std::uint64_t arena_space::offset(std::byte const* own) const noexcept {
    return static_cast<std::uint64_t>(own - where_.own->base());
}

block_place arena_space::block_of(std::byte const* own) const noexcept {
    auto const block = arena_.block_at(offset(own)); // of what lies below the arena, the offset is beyond its end
    return {block.offset, block.bytes};
}

void arena_space::open(int rank, block_place block) const {
    if (rank == where_.rank || !contains(rank) || !where_.open || block.offset >= arena_.size()) return;
    where_.open(members_.place_of(rank), {block.offset, std::min(block.bytes, arena_.size() - block.offset)});
}

int arena_space::owner_of(void const* address) const noexcept {
    auto const* const at = static_cast<std::byte const*>(address);
    for (int i = 0; i < members_.size(); ++i) {
        std::byte const* const base = where_.begins[i];
        if (std::less_equal<>{}(base, at) && std::less<>{}(at, base + arena_.size())) return members_[i];
    }
    return where_.owner ? where_.owner(address) : -1;
}

std::byte* arena_space::at(int rank, std::uint64_t offset) const noexcept {
    // Signed: in one address space what is named may lie before the arena.
    return where_.begins[members_.place_of(rank)] + static_cast<std::ptrdiff_t>(offset);
}

} // namespace sode::internal
