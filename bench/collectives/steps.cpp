// SPDX-License-Identifier: Apache-2.0
#include "collectives/steps.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <vector>

namespace sode::internal::bench {
namespace {

constexpr int lives = 5;  // init … free
constexpr int rounds = 4; // start … wait in each; the first one of a life is not counted

/// Of each collective, where they follow each other without a pause and nothing is rewritten.
double in_a_row(collective_subject& s, tick_rate const& rate, control& shared, double us) {
    constexpr double long_enough = 2000;
    int const times = std::clamp(static_cast<int>(long_enough / std::max(us, 0.01)), 4, 10000);
    auto const run = [&] {
        for (int i = 0; i < times; ++i) s.steps().start(), s.steps().wait();
    };
    shared.barrier();
    run();
    shared.barrier();
    auto const begin = ticks();
    run();
    return rate.us(begin, ticks()) / times;
}

} // namespace

sample_parts measured_steps(collective_subject& s, tick_rate const& rate, control& shared, long& wrong) {
    auto const& steps = s.steps();
    std::vector<double> init, start, wait, free;
    std::uint64_t round = 1'000'000; // none that a block has
    for (int life = 0; life < lives; ++life) {
        shared.barrier();
        auto const dead = ticks();
        steps.free();
        free.push_back(rate.us(dead, ticks()));
        shared.barrier();
        auto const born = ticks();
        steps.init();
        init.push_back(rate.us(born, ticks()));
        for (int r = 0; r < rounds; ++r) {
            s.rewrite(++round, false);
            shared.barrier();
            auto const begin = ticks();
            steps.start();
            auto const started = ticks();
            steps.wait();
            auto const end = ticks();
            wrong += s.mismatches(round);
            if (shared.yields()) shared.barrier();
            if (r == 0) continue;
            start.push_back(rate.us(begin, started));
            wait.push_back(rate.us(started, end));
        }
    }
    auto const slowest = [&](std::vector<double> const& times) { return shared.maximum(median(times)); };
    sample_parts parts{
        {"init_us", slowest(init)}, {"start_us", slowest(start)}, {"wait_us", slowest(wait)}, {"free_us", slowest(free)}};
    parts.push_back({"row_us", shared.maximum(in_a_row(s, rate, shared, parts[1].second + parts[2].second))});
    return parts;
}

} // namespace sode::internal::bench
