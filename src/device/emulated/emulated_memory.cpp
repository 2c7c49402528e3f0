// SPDX-License-Identifier: Apache-2.0
#include "device/emulated/emulated_memory.hpp"

#include "base/byte_text.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include <unistd.h>

namespace sode::internal {
namespace {

std::size_t page() noexcept {
    static auto const bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}
std::size_t whole_pages(std::size_t bytes) noexcept {
    return (bytes + page() - 1) / page() * page();
}
// Of a block of the arena, which begins anywhere.
std::byte* first_page(std::byte* block) noexcept {
    return block + (whole_pages(reinterpret_cast<std::uintptr_t>(block)) - reinterpret_cast<std::uintptr_t>(block));
}
std::size_t room_for(std::size_t bytes) noexcept {
    return whole_pages(bytes) + page();
}

struct told_place {
    std::uint64_t at;
    block_place block;
    std::uint64_t gate;
};

} // namespace

emulated_memory::emulated_memory(std::string device, std::size_t bytes, device_terms const& terms)
    : device_(std::move(device)), room_(bytes), closes_(terms.shared.name() != "tasks"), shared_(terms.shared), freed_(terms.freed),
      gate_block_(shared_.allocate(sizeof(memory_gate))), gates_{reinterpret_cast<memory_gate*>(gate_block_)} {
    freed_.expose(gate_block_);
    if (terms.shared.one_address_space() || terms.shared.name() == "alone") return;
    auto files = std::make_unique<file_blocks>(terms.is_private);
    files_ = files.get();
    blocks_ = std::make_unique<shared_blocks>(std::move(files), terms);
}

emulated_memory::~emulated_memory() {
    freed_.release(gate_block_, sizeof(memory_gate));
}

void emulated_memory::require_room(std::size_t bytes) const {
    if (room_ != 0 && whole_pages(bytes) > room_ - used_)
        throw error{error_kind::environment, fmt::format("no room for {} in the memory of {}", byte_text(bytes), device_),
                    fmt::format("{} of {} are in use", byte_text(used_), byte_text(room_)),
                    "use smaller arrays or more ranks, or raise SODE_DEVICE_MEMORY"};
}

std::byte* emulated_memory::allocate(std::size_t bytes) {
    auto const pages = std::max(whole_pages(bytes), page());
    std::lock_guard const mine{lock_};
    require_room(bytes);
    auto* const first = files_ ? files_->allocate(pages) : first_page(shared_.allocate(room_for(bytes)));
    if (files_) blocks_->add(first, pages);
    used_ += pages;
    if (closes_) gates_.front()->add(first, pages);
    return first;
}

void emulated_memory::release(std::byte* block, std::size_t bytes) noexcept {
    auto const pages = std::max(whole_pages(bytes), page());
    std::lock_guard const mine{lock_};
    used_ -= pages;
    if (closes_) gates_.front()->remove(block);
    if (files_) return blocks_->remove(block, [files = files_, block, pages] { files->free(block, pages); });
    freed_.release(block - (shared_.offset(block) - shared_.block_of(block).offset), room_for(bytes));
}

memory_provider::handle emulated_memory::tell(std::byte* place) {
    if (blocks_) return blocks_->tell(place);
    freed_.expose(place);
    told_place const told{shared_.offset(place), shared_.block_of(place), shared_.offset(gate_block_)};
    handle h{};
    static_assert(sizeof told <= sizeof h);
    std::memcpy(h.data(), &told, sizeof told);
    return h;
}

std::byte* emulated_memory::open(int host, handle const& told) {
    if (blocks_) return blocks_->open(host, told); // a view of this process's own, which nothing closes
    told_place place{};
    std::memcpy(&place, told.data(), sizeof place);
    shared_.open(host, place.block);
    if (closes_ && shared_.one_address_space()) {
        auto* const theirs = reinterpret_cast<memory_gate*>(shared_.at(host, place.gate));
        std::lock_guard const mine{lock_};
        if (std::find(gates_.begin(), gates_.end(), theirs) == gates_.end()) {
            gates_.push_back(theirs);
            if (inside_ != 0) theirs->enter();
        }
    }
    return shared_.at(host, place.at);
}

void emulated_memory::close(std::byte* place, bool again) noexcept {
    if (blocks_) blocks_->close(place, again);
}

std::optional<memory_provider::found> emulated_memory::find(std::byte const* place) const {
    return blocks_ ? blocks_->find(place) : std::nullopt;
}

std::byte* emulated_memory::open_found(int host, found const& place) {
    return blocks_->open(host, place);
}

void emulated_memory::enter() noexcept {
    std::lock_guard const mine{lock_};
    if (inside_++ != 0 || !closes_) return;
    for (auto* g : gates_) g->enter();
}

void emulated_memory::leave() noexcept {
    std::lock_guard const mine{lock_};
    if (--inside_ != 0 || !closes_) return;
    for (auto* g : gates_) g->leave();
}

} // namespace sode::internal
