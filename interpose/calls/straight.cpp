// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/straight.hpp"

#include "interpose/calls/next.hpp"

#include <mutex>

namespace sode::internal::interpose {

namespace {

std::mutex holding;
int holders = 0; ///< who has called hold() and not yet release()

} // namespace

void straight_ways::open(limits const& all, std::atomic<std::uint32_t> const& met) noexcept {
    if (has_tool_below()) return;
    met_ = &met;
    open_ = all;
    sends_.store(all.sends, std::memory_order_relaxed);
    formed_.store(all.formed, std::memory_order_relaxed);
    hold();
    release();
}

void straight_ways::close() noexcept {
    open_ = {};
    sends_.store(-1, std::memory_order_relaxed);
    formed_.store(-1, std::memory_order_relaxed);
    hold();
    release();
}

void straight_ways::hold() noexcept {
    std::lock_guard const lock{holding};
    ++holders;
    receives_.store(-1, std::memory_order_relaxed);
    watched_.store(-1, std::memory_order_relaxed);
    noted_.store(-1, std::memory_order_relaxed);
    requests_.store(nullptr, std::memory_order_relaxed);
}

void straight_ways::release() noexcept {
    std::lock_guard const lock{holding};
    if (--holders > 0) return;
    receives_.store(open_.receives, std::memory_order_relaxed);
    bool const records = has_records_.load(std::memory_order_seq_cst);
    watched_.store(records ? open_.watched_with_records : open_.watched, std::memory_order_relaxed);
    noted_.store(records ? open_.noted_with_records : open_.noted, std::memory_order_relaxed);
    requests_.store(open_.requests, std::memory_order_relaxed);
}

void straight_ways::take_note() noexcept {
    has_records_.store(true, std::memory_order_seq_cst);
    // Where receives are held, release() sees to it.
    auto const lower = [](limit& now, MPI_Count to) {
        if (now.load(std::memory_order_relaxed) > to) now.store(to, std::memory_order_relaxed);
    };
    lower(watched_, open_.watched_with_records);
    lower(noted_, open_.noted_with_records);
}

} // namespace sode::internal::interpose
