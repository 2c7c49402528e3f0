// SPDX-License-Identifier: Apache-2.0
#include "space/wait_table.hpp"

#include "base/activity.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace sode::internal {
namespace {

// The words of a record. The version is odd while the others change.
enum record_word : std::size_t {
    at_version,
    at_rounds,
    at_calls,
    at_state,
    at_plan,
    at_epoch,
    at_awaited,
    at_given_up,
    at_text,
    at_sources = at_text + 24,
    record_end = at_sources + 32
};
constexpr std::size_t text_bytes = (at_sources - at_text) * sizeof(std::uint64_t) - 1;
constexpr std::size_t most_sources = 2 * (record_end - at_sources);
constexpr std::size_t start_slots = 512; // by plan, one in turn

constexpr std::uint64_t is_waiting = 1, has_told_all = 2, is_in_call = 4;

constexpr std::uint64_t start_word(std::uint64_t of_plan, std::uint64_t in_epoch) noexcept {
    return of_plan << 32U | (in_epoch & 0xffffffffU);
}

bool all_want(bootstrap& boot, bool checks) {
    std::array<std::uint64_t, 1> one_does_not{checks ? 0U : 1U};
    boot.combine(one_does_not, {});
    return one_does_not[0] == 0;
}

} // namespace

wait_table::wait_table(bootstrap& boot, space& memory, bool checks)
    : rank_(boot.rank()), ranks_(boot.size()), checks_(all_want(boot, checks)),
      records_(boot, memory, (record_end + (checks_ ? start_slots : 0)) * sizeof(word),
               [&](std::byte* block) {
                   for (std::size_t i = 0; i < record_end + (checks_ ? start_slots : 0); ++i)
                       new (block + i * sizeof(word)) word{0};
               }),
      own_(std::launder(reinterpret_cast<word*>(records_.own()))) {}

// Null where it cannot be read.
wait_table::word const* wait_table::record_of(int rank) const {
    auto const* const block = records_.of(rank);
    return block ? std::launder(reinterpret_cast<word const*>(block)) : nullptr;
}

template <class F> void wait_table::change(F f) noexcept {
    if (gave_up_) return;
    auto const now = own_[at_version].load(std::memory_order_relaxed);
    put(at_version, now + 1);
    f();
    put(at_version, now + 2);
}

void wait_table::write_text(std::string_view words) noexcept {
    std::array<char, text_bytes + 1> all{};
    std::copy_n(words.begin(), std::min(words.size(), text_bytes), all.begin());
    for (std::size_t i = 0; i < at_sources - at_text; ++i) {
        std::uint64_t w = 0;
        std::memcpy(&w, all.data() + i * sizeof w, sizeof w);
        put(at_text + i, w);
    }
}

void wait_table::tell(std::string_view where, std::uint64_t of_plan, std::uint64_t in_epoch,
                      std::span<waiting_rank::source const> from, bool all_told) noexcept {
    change([&] {
        auto const n = std::min(from.size(), most_sources);
        put(at_rounds, rounds_ = 0);
        put(at_state, is_waiting | (all_told && n == from.size() ? has_told_all : 0));
        put(at_plan, of_plan);
        put(at_epoch, in_epoch);
        put(at_awaited, n);
        write_text(where);
        std::array<std::uint64_t, record_end - at_sources> packed{};
        for (std::size_t i = 0; i < n; ++i) {
            auto const one = static_cast<std::uint64_t>(from[i].rank) << 1U | (from[i].by_message ? 1U : 0U);
            packed[i / 2] |= one << (i % 2 * 32U);
        }
        for (std::size_t i = 0; i < (n + 1) / 2; ++i) put(at_sources + i, packed[i]);
    });
}

void wait_table::tell_round() noexcept {
    if (!gave_up_) put(at_rounds, ++rounds_);
}

void wait_table::tell_no_more() noexcept {
    change([&] { put(at_state, 0); });
}

void wait_table::enter_call() noexcept {
    change([&] {
        put(at_calls, ++calls_);
        put(at_state, is_waiting | has_told_all | is_in_call);
        put(at_plan, 0);
        put(at_awaited, 0);
        write_reason();
    });
}

void wait_table::enter_call(std::uint64_t part, std::uint64_t in_epoch, std::span<waiting_rank::source const> others) noexcept {
    if (checks_) tell_start(part, in_epoch);
    tell({}, part, in_epoch, others, true);
    change([&] {
        put(at_state, own_[at_state].load(std::memory_order_relaxed) | is_in_call);
        write_reason();
    });
}

void wait_table::write_reason() noexcept {
    if (!reason_.empty()) return write_text(reason_);
    std::string_view const what = name_of(current_activity());
    std::array<char, text_bytes> where{'i', 'n', ' '};
    auto const n = std::min(what.size(), where.size() - 3);
    std::memcpy(where.data() + 3, what.data(), n);
    write_text({where.data(), n + 3});
}

void wait_table::tell_start(std::uint64_t of_plan, std::uint64_t in_epoch) noexcept {
    put(record_end + of_plan % start_slots, start_word(of_plan, in_epoch));
}

void wait_table::give_up() noexcept {
    put(at_given_up, 1);
    gave_up_ = true;
}

std::optional<waiting_rank> wait_table::look_at(int rank) const {
    auto const* const record = record_of(rank);
    if (!record) return std::nullopt;
    auto const get = [&](std::size_t at) { return record[at].load(std::memory_order_acquire); };
    waiting_rank r;
    r.version = get(at_version);
    if (r.version % 2 != 0) return std::nullopt;
    r.rounds = get(at_rounds);
    r.calls = get(at_calls);
    r.gave_up = get(at_given_up) != 0;
    auto const s = get(at_state);
    r.waits = (s & is_waiting) != 0;
    r.all_told = (s & has_told_all) != 0;
    r.in_call = (s & is_in_call) != 0;
    if (r.waits) {
        r.plan = get(at_plan);
        r.epoch = get(at_epoch);
        std::array<char, text_bytes + 1> all{};
        for (std::size_t i = 0; i < at_sources - at_text; ++i) {
            auto const w = get(at_text + i);
            std::memcpy(all.data() + i * sizeof w, &w, sizeof w);
        }
        r.where.assign(all.data(), ::strnlen(all.data(), text_bytes));
        auto const n = std::min<std::uint64_t>(get(at_awaited), most_sources);
        for (std::size_t i = 0; i < n; ++i) {
            auto const one = get(at_sources + i / 2) >> (i % 2 * 32U) & 0xffffffffU;
            r.awaited.push_back({static_cast<int>(one >> 1U), (one & 1U) != 0});
        }
    }
    if (get(at_version) != r.version) return std::nullopt;
    return r;
}

bool wait_table::may_have_started(int rank, std::uint64_t of_plan, std::uint64_t in_epoch) const {
    auto const* const record = record_of(rank);
    if (!checks_ || !record) return true;
    auto const last = record[record_end + of_plan % start_slots].load(std::memory_order_acquire);
    if (last == 0) return false;             // nor any other plan of that slot
    if (last >> 32U != of_plan) return true; // it has been forgotten
    return (last & 0xffffffffU) >= (in_epoch & 0xffffffffU);
}

} // namespace sode::internal
