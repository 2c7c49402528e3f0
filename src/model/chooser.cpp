// SPDX-License-Identifier: Apache-2.0
#include "model/chooser.hpp"

#include <utility>

namespace sode {

double predict(edge_features const& e, method how, profile const& p) noexcept {
    auto const& c = p.at(e.apart);
    auto const bytes = static_cast<double>(e.bytes);
    auto const rows = static_cast<double>(e.rows);
    bool const is_short = e.rows > 1 && e.row_bytes < p.short_row_bytes;
    double const local_byte = e.bytes > p.cache_bytes ? p.local_byte_big : p.local_byte;
    double const page = e.rows > p.cached_pages && e.pitch >= p.page_bytes ? p.far_row_page : 0.0;
    double const gather = rows * (p.pack_row + page) + bytes * local_byte; // or scatter
    // Rows that all but touch (a face of whole planes, with the shadow between them) are one stream to the prefetcher.
    double const row = is_short ? c.short_row : e.pitch - e.row_bytes <= p.bridged_gap ? 0.0 : c.row;
    double ns = 0;
    switch (how) {
    case method::in_line: ns = c.flag; break;
    case method::pull:
        // Its rows lie apart on both sides.
        ns = c.flag * (e.acknowledged ? 2 : 1) + bytes * c.stream_byte + rows * (row + 2 * page);
        break;
    case method::stage: ns = c.flag + 2 * gather + bytes * c.stage_byte; break;
    case method::stage_wide: ns = c.flag + 2 * gather + bytes * (2 * local_byte + c.stream_byte); break;
    case method::reference: ns = 4 * c.flag + bytes * 2; break;
    }
    return ns * 1e-3;
}

choice choose(edge_features const& e, profile const& p, std::optional<method> forced) noexcept {
    choice best{method::pull, predict(e, method::pull, p), method::pull, 1e300, false};
    for (auto how : {method::stage, method::stage_wide}) {
        double const us = predict(e, how, p);
        if (us < best.expected_us)
            best = {how, us, best.how, best.expected_us, false};
        else if (us < best.runner_up_us)
            best.runner_up = how, best.runner_up_us = us;
    }
    if (!forced || *forced == best.how) {
        best.forced = forced.has_value();
        return best;
    }
    return {*forced, predict(e, *forced, p), best.how, best.expected_us, true};
}

pattern pattern_of(edge_features const& e, profile const& p) noexcept {
    if (e.rows <= 1) return pattern::contiguous;
    return e.row_bytes < p.short_row_bytes ? pattern::strided : pattern::block_strided;
}

} // namespace sode
