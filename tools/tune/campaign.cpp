// SPDX-License-Identifier: Apache-2.0
#include "tune/campaign.hpp"

#include "base/clock.hpp"
#include "model/probe.hpp"
#include "tune/measure.hpp"

#include <array>
#include <optional>

namespace sode::tools {
namespace {

constexpr std::size_t enough_local = 60;

bool enough(campaign_plan const& plan, campaign_result const& r, bool pairs) {
    if (r.local.size() < std::min(plan.enough, enough_local)) return false;
    bool const near = r.near.size() >= plan.enough, far = r.far.size() >= plan.enough;
    return !pairs || (near && far) || (plan.one_distance && (near || far));
}

class prober {
public:
    prober(bootstrap& boot, space& memory) : memory_(memory), rank_(boot.rank()), lines_{memory.offset(memory.allocate(128)), 0} {
        std::array<std::uint64_t, 2> all{};
        boot.allgather(&lines_.own, sizeof lines_.own, all.data());
        lines_.peer = all[static_cast<std::size_t>(1 - rank_)];
    }
    [[nodiscard]] pair_distance look() { return probe_pair(memory_, rank_, 1 - rank_, lines_, ++turn_); }

private:
    space& memory_;
    int rank_;
    probe_lines lines_;
    std::uint64_t turn_ = 0;
};

// What a rank has to say of a block.
struct report {
    pair_times times;
    double before_ns = 0; // 0: unknown
    double after_ns = 0;
    bool last = false;
};

bool known(report const& r) {
    return r.before_ns > 0 && r.after_ns > 0;
}

pair_times sum(pair_times const& a, pair_times const& b) {
    return {.round_trip = a.round_trip + b.round_trip,
            .pulled = {a.pulled[0] + b.pulled[0], a.pulled[1] + b.pulled[1], a.pulled[2] + b.pulled[2]},
            .rows = a.rows + b.rows,
            .short_rows = a.short_rows + b.short_rows,
            .pack_shared = a.pack_shared + b.pack_shared,
            .pack_private = a.pack_private + b.pack_private,
            .unpack_shared = a.unpack_shared + b.unpack_shared,
            .unpack_private = a.unpack_private + b.unpack_private};
}

void take(campaign_result& result, std::array<report, 2> const& both) {
    auto const distance_of = [](double ns) { return class_of(classify(ns)); };
    auto const& r = both.front();
    if (!known(r) || !known(both.back()) || distance_of(r.before_ns) != distance_of(r.after_ns)) {
        ++result.dropped;
        return;
    }
    auto times = sum(both.front().times, both.back().times);
    times.round_trip = (r.before_ns + r.after_ns) / 2;
    (distance_of(r.before_ns) == distance::near ? result.near : result.far).push_back(estimate(times));
}

} // namespace

campaign_result run_campaign(bootstrap& boot, space& memory, campaign_plan const& plan, campaign_progress const& progress) {
    bool const pairs = boot.size() == 2;
    workplace const here{boot, memory};
    std::optional<turns> turn;
    std::optional<prober> probe;
    if (pairs) {
        turn.emplace(boot, memory);
        probe.emplace(boot, memory);
    }
    campaign_result result;
    auto const began = now_s();
    for (bool last = false; !last;) {
        report mine;
        if (pairs) {
            mine.before_ns = probe->look().round_trip_ns;
            mine.times = measure_pair(boot.rank(), here, *turn);
            mine.after_ns = probe->look().round_trip_ns;
        }
        if (boot.rank() == 0) {
            if (result.local.size() < enough_local) estimate(measure_local(here), result.local.emplace_back());
            mine.last = now_s() - began > plan.seconds || enough(plan, result, pairs);
        }
        std::array<report, 2> both{};
        boot.allgather(&mine, sizeof mine, both.data());
        last = both.front().last;
        if (pairs) take(result, both);
        if (boot.rank() == 0) progress(last ? 1 : (now_s() - began) / plan.seconds, result);
    }
    return result;
}

} // namespace sode::tools
