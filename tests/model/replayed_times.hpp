// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/learner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace sode::internal::testing {

/// Messages whose times are made up.
struct replayed_messages {
    std::vector<double> predicted;
    int messages = 0;
    double noise = 0;       ///< times are longer or shorter by up to so much,
    double interrupted = 0; ///< and so often eight times as long
    double seen = 1;        ///< the part of the times that is told
    unsigned seed = 1;
    std::vector<double> adopted{}; ///< what somebody else is said to have measured
};

struct replayed {
    double took = 0;  ///< without the noise, which nobody can help
    double least = 0; ///< by the best way of every message
    std::size_t kept = 0;
    double kept_at_end = 0; ///< what the way that is kept takes in the end
    double best_at_end = 0;
    std::vector<int> asked;
    std::string tries;
};

/// `times(n)`: what message n takes, by way.
template <class Times> replayed replay(replayed_messages const& m, Times const& times) {
    learner l{m.predicted};
    l.adopt(m.adopted);
    std::mt19937 random{m.seed};
    std::uniform_real_distribution<double> whole{0, 1}, wobble{1 - m.noise, 1 + m.noise};
    replayed r;
    r.asked.resize(m.predicted.size());
    for (int n = 0; n < m.messages; ++n) {
        std::vector<double> const now = times(n);
        auto const [way, timed] = l.next();
        ++r.asked[way];
        double least = HUGE_VAL;
        for (std::size_t i = 0; i < now.size(); ++i)
            if (m.predicted[i] > 0) least = std::min(least, now[i]);
        r.took += now[way];
        r.least += least;
        double const noisy = now[way] * wobble(random) * (whole(random) < m.interrupted ? 8 : 1);
        if (timed && whole(random) < m.seen) l.note(way, noisy);
        r.kept = l.chosen();
        r.kept_at_end = now[l.chosen()];
        r.best_at_end = least;
    }
    for (int const n : r.asked) r.tries += std::to_string(n) + ' ';
    return r;
}

} // namespace sode::internal::testing
