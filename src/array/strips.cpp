// SPDX-License-Identifier: Apache-2.0
#include "array/strips.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {
namespace {

// A node that has everything from bounds[c] on needs no turns, even if its axis deals them out.
bool deals(strand const& s) noexcept {
    return s.along->cyclic() && s.along->nodes() > 1;
}

// The first element whose index is not below `index`.
index_t element_at(strand const& s, index_t index) noexcept {
    return index <= s.picked.lower ? 0 : (index - s.picked.lower - 1) / s.picked.step + 1;
}

// The elements among which the node's are.
range reach_of(strand const& s) noexcept {
    index_t const n = s.picked.size();
    if (deals(s)) return {0, n};
    auto const c = static_cast<std::size_t>(s.coordinate);
    return {std::min(element_at(s, s.along->bounds[c]), n), std::min(element_at(s, s.along->bounds[c + 1]), n)};
}

// Elements after which ownership repeats.
index_t period_of(strand const& s) noexcept {
    if (!deals(s)) return 1;
    index_t const turn = s.along->chunk * s.along->nodes();
    return turn / std::gcd(turn, s.picked.step);
}

// Whether the node has element k, and the first element behind it of which that need not hold.
struct state {
    bool has;
    index_t end;
};
state state_at(strand const& s, turns const& mine, index_t k, index_t upper) noexcept {
    if (!deals(s)) return {true, upper};
    index_t const index = s.picked.lower + k * s.picked.step;
    index_t const within = (index - mine.first) % mine.period;
    bool const has = within < mine.chunk;
    index_t const left = (has ? mine.chunk : mine.period) - within;
    return {has, k + (left - 1) / s.picked.step + 1};
}

} // namespace

std::vector<strip> common_strips(strand const& a, strand const& b) {
    auto const reach = intersect(reach_of(a), reach_of(b));
    std::vector<strip> strips;
    if (reach.empty()) return strips;
    index_t const pa = period_of(a), pb = period_of(b);
    index_t period = 0;
    bool const endless = __builtin_mul_overflow(pa / std::gcd(pa, pb), pb, &period);
    if (endless || period > reach.size() || (!deals(a) && !deals(b))) period = reach.size();

    turns const mine_a = deals(a) ? a.along->turns_of(a.coordinate) : turns{};
    turns const mine_b = deals(b) ? b.along->turns_of(b.coordinate) : turns{};
    index_t const upper = std::min(reach.lower + period, reach.upper);
    for (index_t k = reach.lower; k < upper;) {
        auto const sa = state_at(a, mine_a, k, upper), sb = state_at(b, mine_b, k, upper);
        index_t const end = std::min({sa.end, sb.end, upper});
        if (sa.has && sb.has) {
            index_t const count = 1 + (reach.upper - end) / period;
            strips.push_back({k, end - k, count, period});
            // The last time it may be cut short.
            if (index_t const last = k + count * period; last < reach.upper)
                strips.push_back({last, reach.upper - last, 1, period});
        }
        k = end;
    }
    return strips;
}

stretch stretch_of(strand const& s, strip const& r) {
    index_t const recurs = r.count > 1 ? r.period * s.picked.step : 0;
    return {.place = s.along->place(s.picked.lower + r.first * s.picked.step),
            .step = s.picked.step,
            .length = r.length,
            .recurs = deals(s) ? recurs / s.along->nodes() : recurs,
            .count = r.count};
}

} // namespace sode::internal
