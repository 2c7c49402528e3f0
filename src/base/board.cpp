// SPDX-License-Identifier: Apache-2.0
#include "base/board.hpp"

#include "base/activity.hpp"
#include "base/contract.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fmt/format.h>

namespace sode {

namespace {

constexpr std::size_t slot_bytes = 4096;

// Pairs of cache lines are fetched together on x86.
constexpr std::size_t line_alignment = 128;

struct slot {
    std::uint64_t total; // bytes of the whole message, of which this may be a part
    std::uint32_t operation;
    activity doing;
    std::byte data[slot_bytes];
};

} // namespace

struct alignas(line_alignment) board::line {
    std::atomic<std::uint64_t> epoch;
    slot slots[2];
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "epochs are shared between processes");

std::size_t board::bytes(int ranks) noexcept {
    return static_cast<std::size_t>(ranks) * sizeof(line);
}

board::board(void* memory, int index, int size, wait_policy policy, departure departed, std::vector<int> names)
    : memory_(static_cast<std::byte*>(memory)), index_(index), size_(size), policy_(policy), departed_(std::move(departed)),
      names_(std::move(names)), epoch_(line_of(index).epoch.load(std::memory_order_relaxed)) {
    SODE_EXPECT(reinterpret_cast<std::uintptr_t>(memory) % line_alignment == 0, "a board's memory is 128-byte aligned");
    SODE_EXPECT(0 <= index && index < size, "a board's index is below its size");
}

board::line& board::line_of(int index) const noexcept {
    return reinterpret_cast<line*>(memory_)[index];
}

void board::allgather(void const* mine, std::size_t bytes, void* all) {
    if (fail_) fail_();
    std::size_t first = 0;
    do { // at least once, because a message without bytes still waits and is still compared
        exchange(operation::allgather, static_cast<std::byte const*>(mine), bytes, first, static_cast<std::byte*>(all));
        first += slot_bytes;
    } while (first < bytes);
}

void board::barrier() {
    if (fail_) fail_();
    std::byte nothing{}; // no null pointers: g++, once it inlines exchange(), takes them for arguments of its memcpy
    exchange(operation::barrier, &nothing, 0, 0, &nothing);
}

void board::exchange(operation what, std::byte const* mine, std::size_t total, std::size_t first, std::byte* all) {
    std::size_t const part = std::min(slot_bytes, total - first);
    ++epoch_;
    line& own = line_of(index_);
    slot& posted = own.slots[epoch_ % 2];
    posted.total = total;
    posted.operation = static_cast<std::uint32_t>(what);
    posted.doing = activity_of(what);
    if (part > 0) std::memcpy(posted.data, mine + first, part);
    own.epoch.store(epoch_, std::memory_order_release);

    for (int i = 0; i < size_; ++i) await(i, what);
    compare(what, total);
    if (part == 0) return;
    for (int i = 0; i < size_; ++i)
        std::memcpy(all + static_cast<std::size_t>(i) * total + first, line_of(i).slots[epoch_ % 2].data, part);
}

void board::await(int index, operation what) {
    std::atomic<std::uint64_t> const& epoch = line_of(index).epoch;
    waiter w{policy_};
    bool warned = false;
    while (epoch.load(std::memory_order_acquire) < epoch_)
        if (w.step()) look(index, what, w.elapsed(), warned);
}

// Looks after all who are late, not only after `index`: a rank that waits for a dead one is late as well.
void board::look(int index, operation what, double waited, bool& warned) {
    auto const end = [this](error const& e) {
        fail_ = [e] { throw e; };
        throw e;
    };
    for (int i = 0; i < size_; ++i) {
        if (line_of(i).epoch.load(std::memory_order_acquire) >= epoch_) continue;
        auto const how = departed_ ? departed_(i) : std::nullopt;
        // It may have published between the two looks, and left after that.
        if (!how || line_of(i).epoch.load(std::memory_order_acquire) >= epoch_) continue;
        end(error{error_kind::peer, fmt::format("rank {} left before it came to {}", name(i), name_of(activity_of(what))), *how,
                  "see what that rank said before it left"});
    }
    if (policy_.timeout_s > 0 && waited > policy_.timeout_s)
        end(error{error_kind::timeout,
                  fmt::format("it has waited {:.3g} s for rank {} in {}", waited, name(index), name_of(activity_of(what))),
                  fmt::format("SODE_TIMEOUT is {:.3g} s", policy_.timeout_s), "look at what that rank does, or allow more time"});
    if (policy_.warn_s > 0 && waited > policy_.warn_s && !warned) {
        warned = true;
        warn(fmt::format("it has waited {:.3g} s for rank {} in {}", waited, name(index), name_of(activity_of(what))));
    }
}

// Only when all have posted: a rank that left this epoch early could post into a slot that another still reads.
void board::compare(operation what, std::size_t total) const {
    for (int i = 0; i < size_; ++i) {
        slot const& posted = line_of(i).slots[epoch_ % 2];
        if (posted.total == total && posted.operation == static_cast<std::uint32_t>(what)) continue;
        auto const here = name_of(activity_of(what)), there = name_of(posted.doing);
        throw error{error_kind::usage, fmt::format("rank {} does something else than this rank", name(i)),
                    here != there ? fmt::format("it is in {}, this rank in {}", there, here)
                                  : fmt::format("both are in {}, with {} bytes there and {} here", here, posted.total, total),
                    "make all ranks call the same operations in the same order"};
    }
}

activity board::activity_of(operation what) noexcept {
    auto const now = current_activity();
    return now == activity::other && what == operation::barrier ? activity::barrier : now;
}

} // namespace sode
