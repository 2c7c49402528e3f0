// SPDX-License-Identifier: Apache-2.0
#include "base/board.hpp"

#include "base/activity.hpp"
#include "base/contract.hpp"
#include "base/warn.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace sode::internal {

namespace {

constexpr std::size_t slot_bytes = 4096;

// Pairs of cache lines are fetched together on x86.
constexpr std::size_t line_alignment = 128;

struct slot {
    std::uint64_t total; // as in board::call: of the whole message, of which this may be a part
    std::uint32_t operation;
    activity doing;
    std::byte data[slot_bytes];
};

// What a rank says in one round of combining.
struct alignas(64) round_line {
    std::atomic<std::uint64_t> epoch;
    std::uint64_t numbers[board::most_combined];
};
constexpr std::size_t most_rounds = 18; // 2^17 ranks, and one that is none

} // namespace

struct alignas(line_alignment) board::line {
    std::atomic<std::uint64_t> epoch;
    std::atomic<std::uint64_t> left; // the last epoch whose combining is over for this rank
    slot slots[2];
    round_line rounds[2][most_rounds];
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
    call const now{what, total};
    post(now, mine + first, part);
    for (int i = 0; i < size_; ++i)
        await(i, now, [&, &posted = line_of(i).epoch] { return posted.load(std::memory_order_acquire) >= epoch_; });
    // Only when all have posted: a rank that left this epoch early could post into a slot that another still reads.
    for (int i = 0; i < size_; ++i) compare(i, now);
    if (part == 0) return;
    for (int i = 0; i < size_; ++i)
        std::memcpy(all + static_cast<std::size_t>(i) * total + first, line_of(i).slots[epoch_ % 2].data, part);
}

void board::post(call const& now, std::byte const* mine, std::size_t bytes) {
    ++epoch_;
    line& own = line_of(index_);
    slot& posted = own.slots[epoch_ % 2];
    posted.total = now.total;
    posted.operation = static_cast<std::uint32_t>(now.what);
    posted.doing = activity_of(now.what);
    if (bytes > 0) std::memcpy(posted.data, mine, bytes);
    own.epoch.store(epoch_, std::memory_order_release);
}

void board::combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) {
    if (fail_) fail_();
    SODE_EXPECT(maxima.size() + sums.size() <= most_combined, "few numbers are combined at a time");
    call const now{operation::combine, maxima.size() << 32U | sums.size()};
    post(now, nullptr, 0);
    std::array<std::uint64_t, most_combined> held{};
    std::span const mine{held.data(), maxima.size() + sums.size()};
    std::copy(sums.begin(), sums.end(), std::copy(maxima.begin(), maxima.end(), mine.begin()));
    auto const take_in = [&](std::span<std::uint64_t const> theirs) {
        for (std::size_t i = 0; i < mine.size(); ++i)
            mine[i] = i < maxima.size() ? std::max(mine[i], theirs[i]) : mine[i] + theirs[i];
    };
    // Those beyond the greatest power of two give theirs to one below, and get the result from there.
    int const paired = static_cast<int>(std::bit_floor(static_cast<unsigned>(size_)));
    std::size_t const result = most_rounds - 1;
    if (index_ >= paired) {
        say(0, mine);
        std::ranges::copy(hear(index_ - paired, result, now), mine.begin());
    } else {
        if (index_ + paired < size_) take_in(hear(index_ + paired, 0, now));
        std::size_t round = 0;
        for (int bit = 1; bit < paired; bit *= 2, ++round) {
            say(round, mine);
            take_in(hear(index_ ^ bit, round, now));
        }
        if (index_ + paired < size_) say(result, mine);
    }
    std::copy_n(mine.begin(), maxima.size(), maxima.begin());
    std::copy_n(mine.begin() + static_cast<std::ptrdiff_t>(maxima.size()), sums.size(), sums.begin());
    line_of(index_).left.store(epoch_, std::memory_order_release);
}

void board::say(std::size_t round, std::span<std::uint64_t const> numbers) {
    auto& own = line_of(index_).rounds[epoch_ % 2][round];
    std::ranges::copy(numbers, own.numbers);
    own.epoch.store(epoch_, std::memory_order_release);
}

std::span<std::uint64_t const> board::hear(int index, std::size_t round, call const& now) {
    auto const& theirs = line_of(index).rounds[epoch_ % 2][round];
    await(index, now, [&] { return theirs.epoch.load(std::memory_order_acquire) >= epoch_; });
    compare(index, now);
    ++heard_;
    return {theirs.numbers, (now.total >> 32U) + (now.total & 0xffffffffU)};
}

template <class Ready> void board::await(int index, call const& now, Ready ready) {
    bool warned = false;
    internal::await(policy_, ready, [&](double waited) { look(index, now, waited, warned); });
}

// Looks after all who are late, not only after `index`: a rank that waits for a dead one is late as well.
void board::look(int index, call const& now, double waited, bool& warned) {
    auto const end = [this](error const& e) {
        fail_ = [e] { throw e; };
        throw e;
    };
    bool const combines = now.what == operation::combine;
    auto const activity_now = name_of(activity_of(now.what));
    std::optional<error> gone;
    for (int i = 0; i < size_; ++i) {
        line const& theirs = line_of(i);
        auto const has_come = [&] { return theirs.epoch.load(std::memory_order_acquire) >= epoch_; };
        auto const is_done = [&] { return (combines ? theirs.left : theirs.epoch).load(std::memory_order_acquire) >= epoch_; };
        // Who is here for something else never says what is waited for.
        if (combines && has_come()) compare(i, now);
        if (is_done()) continue;
        auto const how = departed_ ? departed_(i) : std::nullopt;
        // It may have published between the two looks, and left after that.
        if (!how || is_done()) continue;
        // Who gave up because of another one is not the news: that is who was killed, if anybody was.
        bool const killed = how->starts_with("killed");
        if (gone && !killed) continue;
        gone.emplace(
            error_kind::peer,
            fmt::format("rank {} terminated {} {}", name(i), has_come() ? "in the middle of" : "before it reached", activity_now),
            *how, "look at the output of that rank");
        if (killed) break;
    }
    if (gone) end(*gone);
    if (policy_.timeout_s > 0 && waited > policy_.timeout_s)
        end(error{error_kind::timeout,
                  fmt::format("this rank has waited {:.3g} s for rank {} in {}", waited, name(index), activity_now),
                  fmt::format("SODE_TIMEOUT is {:.3g} s", policy_.timeout_s), "check what that rank does, or raise SODE_TIMEOUT"});
    if (policy_.warn_s > 0 && waited > policy_.warn_s && !warned) {
        warned = true;
        warn(fmt::format("this rank has waited {:.3g} s for rank {} in {}", waited, name(index), activity_now));
    }
}

// Rank `index` has posted in this epoch, and not in the one after the next, for which it needs this rank.
void board::compare(int index, call const& now) const {
    slot const& posted = line_of(index).slots[epoch_ % 2];
    if (posted.total == now.total && posted.operation == static_cast<std::uint32_t>(now.what)) return;
    auto const here = name_of(activity_of(now.what)), there = name_of(posted.doing);
    bool const lengths = posted.operation == static_cast<std::uint32_t>(operation::allgather) && now.what == operation::allgather;
    throw error{error_kind::usage, fmt::format("rank {} and this rank are in different operations", name(index)),
                here != there ? fmt::format("that rank is in {}, and this rank is in {}", there, here)
                : lengths     ? fmt::format("both ranks are in {}, with {} bytes on that rank and {} bytes on this rank", here,
                                            posted.total, now.total)
                              : fmt::format("both ranks are in {}, but not in the same call", here),
                "make all ranks call the same operations in the same order"};
}

activity board::activity_of(operation what) noexcept {
    auto const now = current_activity();
    return now == activity::other && what == operation::barrier ? activity::barrier : now;
}

} // namespace sode::internal
