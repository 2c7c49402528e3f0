// SPDX-License-Identifier: Apache-2.0
#include "stencil/contest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace sode::internal::bench {

double contest::timed(contestant& c, int warm_up, int steps) {
    double us = 0;
    auto const together = [&] {
        if (c.stride == 1)
            shared_->barrier();
        else
            c.mine->meet();
    };
    shared_->barrier();
    if (c.mine) {
        if (warm_up > 0) c.mine->steps(warm_up);
        together();
        std::uint64_t const begin = ticks();
        c.mine->steps(steps);
        together();
        us = rate_.us(begin, ticks());
        c.mine->rest();
        if (shared_->rank() == 0)
            for (int r = 0; r < shared_->ranks(); ++r)
                if (r % c.stride != 0) gates_[r].open();
    } else {
        gates_[shared_->rank()].pass();
    }
    return shared_->maximum(us);
}

double contest::probe() {
    return shared_->ranks() == 2 && !shared_->yields() ? shared_->round_trip_ns(rate_) : 0;
}

block_time contest::block(contestant& c, int steps) {
    double const before = probe();
    double const us = timed(c, std::max(1, steps / 10), steps) / steps;
    double const after = probe();
    return {before > 0 ? classify(before, after) : regime::unprobed, before, us, us};
}

void contest::compare() {
    std::uint64_t first = 0;
    for (auto const& c : all_) {
        if (!c.solves) continue;
        std::uint64_t const mine = c.mine ? c.mine->fingerprint() : 0;
        // Sums of halves are exact in doubles.
        auto const low = static_cast<std::uint64_t>(shared_->sum(static_cast<double>(mine & 0xffffffffU)));
        auto const high = static_cast<std::uint64_t>(shared_->sum(static_cast<double>(mine >> 32U)));
        auto const all = low + (high << 32U);
        if (&c == &all_.front()) first = all;
        if (all != first) throw std::runtime_error{fmt::format("{} and {} disagree on the result", all_.front().name, c.name)};
    }
}

std::vector<std::string> contest::limits() const {
    std::vector<std::string> names;
    for (auto const& c : all_)
        if (!c.solves) names.push_back(c.name);
    return names;
}

std::vector<sample> contest::run(int turns, int steps, int first) {
    double const us = timed(all_.front(), 0, first) / first;
    for (std::size_t i = 1; i < all_.size(); ++i) static_cast<void>(timed(all_[i], 0, first));
    auto const longest = std::max_element(all_.begin(), all_.end(), [](auto& a, auto& b) { return a.at_a_time < b.at_a_time; });
    if (steps == 0) steps = static_cast<int>(shared_->broadcast(steps_of_block(us, longest->at_a_time)));
    if (steps < longest->at_a_time)
        throw std::runtime_error{fmt::format("blocks of {} steps are too short (\"{}\" takes {} at a time)\n"
                                             "give --steps {} or more",
                                             steps, longest->name, longest->at_a_time, longest->at_a_time)};
    compare();
    std::vector<sample> result;
    // Each begins a turn as often as the others: what ran before leaves its traces.
    auto const count = static_cast<int>(all_.size());
    for (int turn = 0; turn < turns; ++turn)
        for (int i = 0; i < count; ++i) {
            auto& c = all_[static_cast<std::size_t>((turn + i) % count)];
            result.push_back({turn, c.name, block(c, steps)});
        }
    compare();
    return result;
}

} // namespace sode::internal::bench
