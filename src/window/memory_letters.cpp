// SPDX-License-Identifier: Apache-2.0
#include "window/memory_letters.hpp"

#include "layout/cache_line.hpp"
#include "window/shared_blocks.hpp"

#include <sode/runtime.hpp>

#include <atomic>
#include <cstring>

namespace sode::internal::windows {
namespace {

constexpr auto line_bytes = static_cast<std::size_t>(line);

// How many letters were ever sent to a ring: its first word.
std::atomic_ref<std::uint64_t> sent(std::byte* ring) {
    return std::atomic_ref{*reinterpret_cast<std::uint64_t*>(ring)};
}

} // namespace

memory_letters::memory_letters(detail::job& j, std::size_t most_bytes)
    : most_(static_cast<std::size_t>(whole_lines(static_cast<index_t>(most_bytes)))),
      rank_(static_cast<std::uint32_t>(j.boot->rank())), own_(detail::allocate(j, line_bytes + places * (line_bytes + most_))) {
    for (auto const& [first, bytes] : shared_blocks(j, own_.get(), line_bytes + places * (line_bytes + most_)))
        rings_.push_back(first);
}

memory_letters::place memory_letters::place_of(std::byte* ring, std::uint64_t number) const {
    auto* const first = ring + line_bytes + number % places * (line_bytes + most_);
    return {reinterpret_cast<place_head*>(first), first + line_bytes};
}

bool memory_letters::try_send(int peer, std::span<std::byte const> text) {
    auto* const ring = rings_[static_cast<std::size_t>(peer)];
    auto const count = sent(ring);
    auto number = count.load(std::memory_order_relaxed);
    for (;;) {
        auto const [head, room] = place_of(ring, number);
        std::atomic_ref const turn{head->turn};
        auto const free = 2 * (number / places), is = turn.load(std::memory_order_acquire);
        if (is < free) return false; // an older letter is still there
        if (is > free) {             // others were quicker
            number = count.load(std::memory_order_relaxed);
            continue;
        }
        if (!count.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) continue;
        head->from = rank_;
        head->bytes = static_cast<std::uint32_t>(text.size());
        std::memcpy(room, text.data(), text.size());
        turn.store(free + 1, std::memory_order_release);
        return true;
    }
}

void memory_letters::send(int peer, std::span<std::byte const> text) {
    auto const before = waiting_.find(peer); // letters keep their order
    if (before == waiting_.end() && try_send(peer, text)) return;
    waiting_[peer].emplace_back(text.begin(), text.end());
}

letter_box::letter memory_letters::receive() {
    auto* const own = own_.get();
    if (lent_) {
        auto const last = read_++;
        std::atomic_ref{place_of(own, last).head->turn}.store(2 * (last / places + 1), std::memory_order_release);
        lent_ = false;
    }
    for (auto peer = waiting_.begin(); peer != waiting_.end();) {
        auto& letters = peer->second;
        while (!letters.empty() && try_send(peer->first, letters.front())) letters.pop_front();
        peer = letters.empty() ? waiting_.erase(peer) : std::next(peer);
    }
    auto const [head, text] = place_of(own, read_);
    if (std::atomic_ref{head->turn}.load(std::memory_order_acquire) != 2 * (read_ / places) + 1) return {};
    lent_ = true;
    return {static_cast<int>(head->from), {text, head->bytes}};
}

} // namespace sode::internal::windows
