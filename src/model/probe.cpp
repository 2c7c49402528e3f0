// SPDX-License-Identifier: Apache-2.0
#include "model/probe.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

namespace sode::internal {
namespace {

using clock = std::chrono::steady_clock;
using std::chrono::microseconds;

constexpr double scheduler_ns = 2000;

constexpr std::size_t batches = 17; // odd: the median is one of them
constexpr std::uint64_t trips = 24; // a batch
constexpr std::size_t enough_batches = 5;

/// What two ranks say to each other, in one cache line, which goes back and forth: the distance of two cores is the time of that,
/// as two lines of one writer each cost up to three times as much on some processors. A word has one writer, and only grows: turn,
/// then step.
struct shared_line {
    std::atomic<std::uint64_t> word[2]; ///< of the lower and of the higher rank
    std::atomic<double> result_ns;      ///< the leader's, valid when its word says `finished`
};
static_assert(sizeof(shared_line) <= 64 && std::atomic<double>::is_always_lock_free);

constexpr std::uint64_t steps_of_a_turn = std::uint64_t{1} << 20;
constexpr std::uint64_t present = 1;
constexpr std::uint64_t first_trip = 2;
constexpr std::uint64_t finished = steps_of_a_turn - 1;
static_assert(first_trip + batches * trips < finished);

/// One side's view of a conversation.
class talk {
public:
    talk(space const& memory, int rank, int peer, probe_lines lines, std::uint64_t turn, microseconds limit)
        : line_(reinterpret_cast<shared_line*>(rank < peer ? memory.at(rank, lines.own) : memory.at(peer, lines.peer))),
          own_(rank < peer ? 0 : 1), base_(turn * steps_of_a_turn), deadline_(clock::now() + limit) {}

    void say(std::uint64_t step) noexcept { line_->word[own_].store(base_ + step, std::memory_order_release); }

    /// The step that the other has reached, once it is `step` or later. False at the deadline.
    [[nodiscard]] bool hear(std::uint64_t step) noexcept {
        // No pause instruction: it would be a quarter of what is measured. The clock is read rarely for the same reason.
        for (int poll = 0; poll < polls_at_full_speed; ++poll)
            if (heard() >= step) return true;
        while (heard() < step) {
            if (clock::now() > deadline_) return false;
            ::sched_yield(); // perhaps the other waits for this core
        }
        return true;
    }
    [[nodiscard]] bool has_finished() const noexcept { return heard() >= finished; }

    void finish(double result_ns) noexcept {
        line_->result_ns.store(result_ns, std::memory_order_relaxed);
        say(finished);
    }
    [[nodiscard]] double peer_result_ns() const noexcept { return line_->result_ns.load(std::memory_order_relaxed); }

private:
    static constexpr int polls_at_full_speed = 20000; // tens of microseconds

    [[nodiscard]] std::uint64_t heard() const noexcept {
        auto const word = line_->word[1 - own_].load(std::memory_order_acquire);
        return word > base_ ? word - base_ : 0;
    }

    shared_line* line_;
    std::size_t own_;
    std::uint64_t base_;
    clock::time_point deadline_;
};

double median(std::array<double, batches>& values, std::size_t count) noexcept {
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(values.begin(), middle, values.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
}

/// Sends a number, waits for it to come back, and takes the time. 0 = gave up.
double lead(talk& with) noexcept {
    std::array<double, batches> ns{};
    std::size_t done = 0;
    std::uint64_t step = first_trip;
    for (; done < batches; ++done) {
        auto const started = clock::now();
        bool answered = true;
        for (std::uint64_t trip = 0; trip < trips && answered; ++trip, ++step) {
            with.say(step);
            answered = with.hear(step);
        }
        if (!answered) break;
        ns[done] = std::chrono::duration<double, std::nano>(clock::now() - started).count() / static_cast<double>(trips);
    }
    double const result = done >= enough_batches ? median(ns, done) : 0;
    with.finish(result);
    return result;
}

/// Sends every number back. The leader's result comes last.
double follow(talk& with) noexcept {
    for (std::uint64_t step = first_trip; with.hear(step); ++step) {
        if (with.has_finished()) return with.peer_result_ns();
        with.say(step);
    }
    return 0;
}

/// The rank with which `rank` is measured in round `bit`: its number among the ranks of its space differs there.
std::optional<int> partner(space const& memory, int rank, int ranks, int bit) {
    std::vector<int> members;
    for (int r = 0; r < ranks; ++r)
        if (memory.contains(r)) members.push_back(r);
    auto const own = static_cast<std::size_t>(std::find(members.begin(), members.end(), rank) - members.begin());
    auto const other = own ^ (std::size_t{1} << bit);
    return other < members.size() ? std::optional{members[other]} : std::nullopt;
}

constexpr int rounds = 3;

struct probed_peer {
    std::int32_t peer = -1;
    pair_distance distance;
};

} // namespace

std::string_view to_string(pair_distance::regime kind) noexcept {
    switch (kind) {
    case pair_distance::regime::near: return "near";
    case pair_distance::regime::between: return "between";
    case pair_distance::regime::far: return "far";
    case pair_distance::regime::unknown: break;
    }
    return "unknown";
}

pair_distance classify(double round_trip_ns) noexcept {
    using enum pair_distance::regime;
    if (!(round_trip_ns > 0) || round_trip_ns >= scheduler_ns) return {};
    return {round_trip_ns, round_trip_ns < near_below_ns ? near : round_trip_ns > far_above_ns ? far : between};
}

pair_distance probe_pair(space const& memory, int rank, int peer, probe_lines lines, std::uint64_t turn, microseconds limit) {
    memory.open(peer, {lines.peer, sizeof(shared_line)});
    talk with{memory, rank, peer, lines, turn, limit};
    with.say(present);
    if (!with.hear(present)) return {};
    return classify(rank < peer ? lead(with) : follow(with));
}

distance_table::distance_table(std::vector<measured_pair> pairs) {
    double farthest = 0;
    for (auto const& p : pairs)
        if (p.distance.kind != pair_distance::regime::unknown) farthest = std::max(farthest, p.distance.round_trip_ns);
    known_ = std::make_shared<known>(known{std::move(pairs), farthest});
}

pair_distance distance_table::of(int a, int b) const noexcept {
    auto const wanted = std::minmax(a, b);
    auto const& pairs = known_->pairs;
    auto const at = std::lower_bound(pairs.begin(), pairs.end(), wanted, [](measured_pair const& p, auto const& w) {
        return std::pair{p.low, p.high} < std::pair{w.first, w.second};
    });
    return at != pairs.end() && at->low == wanted.first && at->high == wanted.second ? at->distance : pair_distance{};
}

distance_table probe_job(bootstrap& boot, space& memory) {
    auto const ranks = static_cast<std::size_t>(boot.size());
    // A line for each round: ranks do not enter a round together, and whoever is early must not speak into another pair's
    // conversation.
    constexpr std::size_t apart = 128;
    std::byte* const own_lines = memory.allocate(rounds * apart);
    auto const own = memory.offset(own_lines);
    std::vector<std::uint64_t> lines(ranks);
    boot.allgather(&own, sizeof own, lines.data());

    std::array<probed_peer, rounds> found;
    for (int bit = 0; bit < rounds; ++bit) {
        auto const peer = partner(memory, boot.rank(), boot.size(), bit);
        if (!peer) continue;
        auto const place = static_cast<std::uint64_t>(bit) * apart;
        probe_lines const offsets{own + place, lines[static_cast<std::size_t>(*peer)] + place};
        auto const turn = static_cast<std::uint64_t>(bit) + 1;
        found[static_cast<std::size_t>(bit)] = {*peer, probe_pair(memory, boot.rank(), *peer, offsets, turn)};
    }

    std::vector<std::array<probed_peer, rounds>> all(ranks);
    boot.allgather(found.data(), sizeof found, all.data());
    memory.release(own_lines, rounds * apart); // everybody is past its last round

    std::vector<measured_pair> pairs;
    for (std::size_t low = 0; low < ranks; ++low)
        for (auto const& f : all[low])
            if (memory.contains(static_cast<int>(low)) && f.peer > static_cast<int>(low))
                pairs.push_back({static_cast<std::int32_t>(low), f.peer, f.distance});
    std::sort(pairs.begin(), pairs.end(), [](measured_pair const& a, measured_pair const& b) {
        return std::pair{a.low, a.high} < std::pair{b.low, b.high};
    });
    return distance_table{std::move(pairs)};
}

} // namespace sode::internal
