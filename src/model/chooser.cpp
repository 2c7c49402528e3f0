// SPDX-License-Identifier: Apache-2.0
#include "model/chooser.hpp"

#include "channel/ways.hpp"

namespace sode::internal {

bool pays_together(int pairs, std::int64_t bytes, profile const& p, bool pretended) noexcept {
    // Near the limit one long message has been seen to take longer than several short ones.
    if (pretended || pairs < 2 || 2 * bytes > p.network.eager_bytes) return false;
    double const saved = 2 * (pairs - 1) * p.network.overhead;
    double const handed_over =
        2 * p.of(distance::near).memory.flag + static_cast<double>(bytes) * 2 * p.of(distance::near).memory.stage_byte;
    return saved > handed_over;
}

choice choose(edge_features const& e, profile const& p, way const* forced) noexcept {
    choice best;
    for (auto const* how : all_ways()) {
        if (!how->offered(e)) continue;
        auto const expected = how->cost(e, p);
        if (!best.how || expected.total() < best.expected.total())
            best = {how, expected, best.how, best.expected, best.runner_up, best.instead};
        else if (!best.runner_up || expected.total() < best.instead.total())
            best = {best.how, best.expected, how, expected, best.runner_up, best.instead};
        else if (!best.third || expected.total() < best.third_expected.total())
            best.third = how, best.third_expected = expected;
    }
    while (forced && !forced->can(e)) forced = forced->instead(e);
    if (!forced || forced == best.how) {
        best.forced = forced != nullptr;
        return best;
    }
    return {.how = forced, .expected = forced->cost(e, p), .runner_up = best.how, .instead = best.expected, .forced = true};
}

} // namespace sode::internal
