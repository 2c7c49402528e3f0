// SPDX-License-Identifier: Apache-2.0
#include "model/chooser.hpp"

#include "channel/ways.hpp"

namespace sode {

double predict(edge_features const& e, way const& how, profile const& p) noexcept {
    return how.cost(e, p) * 1e-3;
}

bool pays_together(int pairs, std::int64_t bytes, profile const& p, bool pretended) noexcept {
    // Near the limit one long message has been seen to take longer than several short ones.
    if (pretended || pairs < 2 || 2 * bytes > p.network.eager_bytes) return false;
    double const saved = 2 * (pairs - 1) * p.network.overhead;
    double const handed_over = 2 * p.near.flag + static_cast<double>(bytes) * 2 * p.near.stage_byte;
    return saved > handed_over;
}

choice choose(edge_features const& e, profile const& p, way const* forced) noexcept {
    choice best;
    for (auto const* how : all_ways()) {
        if (!how->offered(e)) continue;
        double const us = predict(e, *how, p);
        if (!best.how || us < best.expected_us)
            best = {how, us, best.how, best.expected_us, false};
        else if (!best.runner_up || us < best.runner_up_us)
            best.runner_up = how, best.runner_up_us = us;
    }
    while (forced && !forced->can(e)) forced = forced->instead(e);
    if (!forced || forced == best.how) {
        best.forced = forced != nullptr;
        return best;
    }
    return {forced, predict(e, *forced, p), best.how, best.expected_us, true};
}

} // namespace sode
