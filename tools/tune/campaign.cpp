// SPDX-License-Identifier: Apache-2.0
#include "tune/campaign.hpp"

#include "base/clock.hpp"
#include "tune/measure.hpp"
#include "tune/prober.hpp"

#include <array>
#include <optional>

namespace sode::internal::tools {
namespace {

constexpr std::size_t enough_local = 60;

bool enough(campaign_plan const& plan, campaign_result const& r, bool pairs) {
    if (r.local.size() < std::min(plan.enough, enough_local)) return false;
    bool const near = r.near.size() >= plan.enough, far = r.far.size() >= plan.enough;
    return !pairs || (near && far) || (plan.one_distance && (near || far));
}

// What a rank has to say of a block.
struct report {
    pair_times times;
    copy_times copies{};
    check_times checks{};
    double before_ns = 0; // 0: unknown
    double after_ns = 0;
    bool last = false;
};

distance distance_of(double round_trip_ns) {
    return class_of(classify(round_trip_ns));
}

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

copy_times sum(copy_times a, copy_times const& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
}

// What is pulled was timed without the word that it is there.
check_times sum(check_times a, check_times const& b, double word_ns) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (std::size_t k = 0; k < a[i].size(); ++k) a[i][k] += b[i][k];
        if (checks()[i].of == checked::halo) a[i].front() += word_ns;
    }
    return a;
}

void take(campaign_result& result, std::array<report, 2> const& both) {
    auto const& r = both.front();
    if (!known(r) || !known(both.back()) || distance_of(r.before_ns) != distance_of(r.after_ns)) {
        ++result.dropped;
        return;
    }
    auto times = sum(both.front().times, both.back().times);
    times.round_trip = (r.before_ns + r.after_ns) / 2;
    bool const near = distance_of(r.before_ns) == distance::near;
    (near ? result.near : result.far).push_back(estimate(times));
    (near ? result.near_copies : result.far_copies).push_back(sum(both.front().copies, both.back().copies));
    (near ? result.near_checks : result.far_checks).push_back(sum(both.front().checks, both.back().checks, times.round_trip / 2));
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
            mine.copies = measure_copies(boot.rank(), distance_of(mine.before_ns), here, *turn);
            mine.checks = measure_checks(boot.rank(), distance_of(mine.before_ns), here, *turn);
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

} // namespace sode::internal::tools
