// SPDX-License-Identifier: Apache-2.0
#include "device/shared_blocks.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <string>
#include <utility>

namespace sode::internal {

/// In the arena of the block's owner.
struct shared_blocks::record {
    static constexpr std::size_t room = 160;

    block_driver::ticket ticket{};
    std::uint64_t bytes = 0;
    process_identity owner{};
    std::atomic<std::uint64_t> mapped_by{0}; ///< so many others
    std::atomic<std::uint64_t> released{0};  ///< not 0: it goes when nobody has it mapped
    char why_not[room] = {};                 ///< others cannot map it; empty: they may try
};

struct shared_blocks::state {
    space& shared;
    std::vector<freed_block> waiting; // nobody reads them, but somebody may have them mapped

    void free_unmapped() noexcept {
        std::erase_if(waiting, [&](freed_block& b) {
            if (b.said->mapped_by.load(std::memory_order_acquire) != 0) return false;
            b.frees();
            shared.release(reinterpret_cast<std::byte*>(b.said), sizeof(record));
            return true;
        });
    }
};

shared_blocks::shared_blocks(std::unique_ptr<block_driver> driver, device_terms const& terms)
    : driver_(std::move(driver)), shared_(terms.shared), freed_(terms.freed), self_(process_identity::mine()),
      state_(std::make_shared<state>(state{terms.shared, {}})) {}

shared_blocks::~shared_blocks() {
    for (auto b = foreign_.begin(); b != foreign_.end();) b = unmap(b);
    state_->free_unmapped();
}

void shared_blocks::add(std::byte* block, std::size_t bytes) {
    auto* const said = new (shared_.allocate(sizeof(record))) record;
    said->bytes = bytes;
    said->owner = self_;
    if (!shared_.one_address_space()) driver_->issue(block, said->ticket).copy(said->why_not, record::room - 1);
    state_->free_unmapped();
    std::lock_guard const mine{lock_};
    own_.emplace(block, own_block{bytes, said});
}

void shared_blocks::remove(std::byte* block, std::function<void()> frees) noexcept {
    own_block b{};
    {
        std::lock_guard const mine{lock_};
        auto const at = own_.find(block);
        if (at == own_.end()) return;
        b = at->second;
        own_.erase(at);
    }
    b.said->released.store(1, std::memory_order_release);
    freed_.release(block, b.bytes, [there = std::weak_ptr<state>{state_}, said = b.said, frees = std::move(frees)] {
        auto const s = there.lock();
        if (!s) return;
        s->waiting.push_back({said, frees});
        s->free_unmapped();
    });
}

shared_blocks::own_blocks::const_iterator shared_blocks::block_of(std::byte const* place) const {
    auto after = own_.upper_bound(place);
    if (after == own_.begin()) return own_.end();
    --after;
    return place < after->first + after->second.bytes ? after : own_.end();
}

memory_provider::found shared_blocks::place_in(own_blocks::const_iterator block, std::byte const* place) const {
    if (shared_.one_address_space()) return {reinterpret_cast<std::uintptr_t>(place), {}};
    return {static_cast<std::uint64_t>(place - block->first), shared_.block_of(reinterpret_cast<std::byte*>(block->second.said))};
}

memory_provider::handle shared_blocks::tell(std::byte* place) {
    std::lock_guard const mine{lock_};
    auto const at = block_of(place);
    if (at == own_.end())
        throw error{error_kind::internal, "other ranks cannot access an address in device memory",
                    "the address is not in a block of this device", "report this defect of Sode"};
    freed_.expose(at->first);
    auto const found = place_in(at, place);
    memory_provider::handle h{};
    static_assert(sizeof found <= sizeof h);
    std::memcpy(h.data(), &found, sizeof found);
    return h;
}

std::optional<memory_provider::found> shared_blocks::find(std::byte const* place) const {
    std::lock_guard const mine{lock_};
    auto const at = block_of(place);
    if (at == own_.end()) return std::nullopt;
    return place_in(at, place);
}

shared_blocks::foreign_blocks::iterator shared_blocks::map(int host, record* theirs) {
    std::string why = theirs->why_not;
    std::byte* first = nullptr;
    if (why.empty()) {
        // Counted before it is mapped: a block that is not free by now will not be before this is over.
        theirs->mapped_by.fetch_add(1, std::memory_order_acq_rel);
        first = driver_->map(theirs->ticket, theirs->owner, theirs->bytes, why);
    }
    if (first) return foreign_.emplace(first, foreign_block{theirs->bytes, theirs, 0}).first;
    bool const died = look_up(theirs->owner) == process_state::gone;
    if (theirs->why_not[0] == 0) theirs->mapped_by.fetch_sub(1, std::memory_order_acq_rel);
    throw error{error_kind::environment, "the memory of rank " + std::to_string(host) + "'s device cannot be opened",
                died ? "process " + std::to_string(theirs->owner.pid) + " of that rank has ended" : why,
                died ? "look at the output of that rank" : "add `,private` to SODE_DEVICE"};
}

shared_blocks::foreign_blocks::iterator shared_blocks::unmap(foreign_blocks::iterator b) noexcept {
    driver_->unmap(b->first, b->second.bytes);
    b->second.said->mapped_by.fetch_sub(1, std::memory_order_acq_rel);
    return foreign_.erase(b);
}

void shared_blocks::unmap_released() noexcept {
    for (auto b = foreign_.begin(); b != foreign_.end();)
        b = b->second.uses == 0 && b->second.said->released.load(std::memory_order_acquire) != 0 ? unmap(b) : std::next(b);
}

std::byte* shared_blocks::open(int host, memory_provider::handle const& told) {
    memory_provider::found place{};
    std::memcpy(&place, told.data(), sizeof place);
    return open(host, place);
}

std::byte* shared_blocks::open(int host, memory_provider::found const& place) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): it was told by another rank
    if (shared_.one_address_space()) return reinterpret_cast<std::byte*>(place.where);
    std::lock_guard const mine{lock_};
    unmap_released();
    shared_.open(host, place.block);
    auto* const theirs = reinterpret_cast<record*>(shared_.at(host, place.block.offset));
    auto b = std::ranges::find_if(foreign_, [&](auto const& one) { return one.second.said == theirs; });
    if (b == foreign_.end()) b = map(host, theirs);
    ++b->second.uses;
    return b->first + place.where;
}

void shared_blocks::close(std::byte* place, bool again) noexcept {
    std::lock_guard const mine{lock_};
    auto b = foreign_.upper_bound(place);
    if (b == foreign_.begin()) return;
    --b;
    if (place >= b->first + b->second.bytes || b->second.uses == 0) return;
    if (--b->second.uses == 0 && !again) unmap(b);
    unmap_released();
}

std::size_t shared_blocks::mapped() const {
    std::lock_guard const mine{lock_};
    return foreign_.size();
}

std::size_t shared_blocks::kept() const {
    return state_->waiting.size();
}

} // namespace sode::internal
