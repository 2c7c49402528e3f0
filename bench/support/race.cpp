// SPDX-License-Identifier: Apache-2.0
#include "support/race.hpp"
#include "support/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sode::internal::bench {

double race::probe() {
    return shared_->ranks() == 2 && !shared_->yields() ? shared_->round_trip_ns(*rate_) : 0;
}

long race::verify(subject& s, int rounds) {
    long bad = 0;
    for (int r = 0; r < rounds; ++r) {
        ++round_;
        // The interior once: writing half a gigabyte of it for every method and round takes minutes.
        s.rewrite(round_, r == 0 || everything_);
        s.poison();
        shared_->barrier();
        static_cast<void>(timed(s));
        shared_->barrier();
        bad += s.mismatches(round_);
        shared_->barrier();
    }
    return std::lround(shared_->sum(static_cast<double>(bad)));
}

int race::block_rounds(subject& s) {
    double fastest = 1e30;
    for (int r = 0; r < 6; ++r) {
        s.rewrite(++round_, everything_);
        shared_->barrier();
        fastest = std::min(fastest, timed(s));
        wrong_ += s.mismatches(round_);
    }
    fastest = shared_->maximum(fastest);
    return std::clamp(static_cast<int>(2500 / std::max(fastest, 1.0)), 9, 200) + warm_up_rounds;
}

block_time race::block(subject& s, int rounds) {
    double const before = probe();
    auto const mine = shared_->samples(shared_->rank());
    std::vector<double> whole;
    std::uint64_t last = 0;
    for (int r = 0; r < rounds; ++r) {
        std::uint64_t const now = ticks();
        if (r > warm_up_rounds) whole.push_back(rate_->us(last, now));
        last = now;
        s.rewrite(++round_, everything_);
        shared_->barrier();
        mine[static_cast<std::size_t>(r)] = timed(s);
        wrong_ += s.mismatches(round_);
        // Where ranks share cores, one that is early would take the core of one that is being timed.
        if (shared_->yields()) shared_->barrier();
    }
    shared_->barrier();
    double const after = probe();

    std::vector<double> slowest;
    for (int r = warm_up_rounds; r < rounds; ++r) {
        double time = 0;
        for (int rank = 0; rank < shared_->ranks(); ++rank)
            time = std::max(time, shared_->samples(rank)[static_cast<std::size_t>(r)]);
        slowest.push_back(time);
    }
    shared_->barrier();
    return {before > 0 ? classify(before, after) : regime::unprobed,
            before,
            median(slowest),
            quantile(slowest, 0.1),
            quantile(slowest, 0.9),
            static_cast<int>(slowest.size()),
            whole.empty() ? 0 : median(whole)};
}

} // namespace sode::internal::bench
