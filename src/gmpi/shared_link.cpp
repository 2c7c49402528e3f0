// SPDX-License-Identifier: Apache-2.0
#include "gmpi/shared_link.hpp"

#include <atomic>
#include <cstring>

namespace sode::internal::kernels {

namespace {

using count = std::atomic_ref<std::uint64_t>;

std::uint64_t& filled(std::byte* inbox) {
    return *reinterpret_cast<std::uint64_t*>(inbox); // by the writer
}
std::uint64_t& emptied(std::byte* inbox) {
    return *reinterpret_cast<std::uint64_t*>(inbox + shared_link::line); // by the reader
}
std::byte* slot(std::byte* inbox, std::uint64_t number) {
    return inbox + 2 * shared_link::line + number % shared_link::slots * shared_link::slot_bytes;
}

} // namespace

bool shared_link::try_put(frame const& f, std::byte const* payload) {
    if (put_ == room_until_) {
        room_until_ = count{emptied(theirs_)}.load(std::memory_order_acquire) + slots;
        if (put_ == room_until_) return false;
    }
    auto* const to = slot(theirs_, put_);
    std::memcpy(to, &f, sizeof f);
    if (f.length != 0) std::memcpy(to + sizeof f, payload, f.length);
    count{filled(theirs_)}.store(++put_, std::memory_order_release);
    return true;
}

bool shared_link::take(int peer, frame_reader& to) {
    auto const until = count{filled(mine_)}.load(std::memory_order_acquire);
    if (until == taken_) return false;
    while (taken_ != until) {
        frame f;
        auto const* const from = slot(mine_, taken_);
        std::memcpy(&f, from, sizeof f);
        to.read(peer, f, from + sizeof f);
        count{emptied(mine_)}.store(++taken_, std::memory_order_release);
    }
    return true;
}

} // namespace sode::internal::kernels
