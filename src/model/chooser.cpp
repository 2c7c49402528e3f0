// SPDX-License-Identifier: Apache-2.0
#include "model/chooser.hpp"

#include <algorithm>
#include <utility>

namespace sode {

namespace {

// Pages that the rows of an edge lie on, beyond those that a core keeps translations for.
double strange_pages(edge_features const& e, profile const& p) noexcept {
    double const a_row = std::min(1.0, static_cast<double>(e.pitch) / static_cast<double>(p.page_bytes));
    return std::max(0.0, static_cast<double>(e.rows) * a_row - static_cast<double>(p.cached_pages));
}

// What the rows of a message cost beyond a message of one row, at both ends. Packed bytes lie elsewhere than those that were just
// written, as in a stage.
double packed_ns(edge_features const& e, profile const& p) noexcept {
    auto const bytes = static_cast<double>(e.bytes);
    double const byte = e.bytes > p.cache_bytes ? p.local_byte_big : std::max(p.local_byte, p.near.stage_byte);
    return e.rows < 2 ? 0 : 2 * (static_cast<double>(e.rows) * p.pack_row + strange_pages(e, p) * p.far_row_page + bytes * byte);
}
// Gaps travel, and are saved and put back by the target.
double as_it_lies_ns(edge_features const& e, profile const& p) noexcept {
    auto const gaps = static_cast<double>(e.span - e.bytes);
    return gaps * (p.network.byte + 2 * p.network.host_byte) + 2 * (static_cast<double>(e.rows) * p.pack_row + gaps * p.local_byte);
}

} // namespace

bool travels_as_it_lies(edge_features const& e, profile const& p) noexcept {
    return e.span > 0 && as_it_lies_ns(e, p) < packed_ns(e, p);
}

bool crosses_pages(edge_features const& e, profile const& p) noexcept {
    return strange_pages(e, p) > 0;
}

double predict(edge_features const& e, method how, profile const& p) noexcept {
    auto const& c = p.at(e.apart);
    auto const bytes = static_cast<double>(e.bytes);
    auto const rows = static_cast<double>(e.rows);
    bool const is_short = e.rows > 1 && e.row_bytes < p.short_row_bytes;
    double const local_byte = e.bytes > p.cache_bytes ? p.local_byte_big : p.local_byte;
    double const pages = strange_pages(e, p) * p.far_row_page;
    double const gather = rows * p.pack_row + pages + bytes * local_byte; // or scatter
    // Rows that all but touch (a face of whole planes, with the shadow between them) are one stream to the prefetcher.
    double const row = is_short ? c.short_row : e.pitch - e.row_bytes <= p.bridged_gap ? 0.0 : c.row;
    double ns = 0;
    switch (how) {
    case method::in_line: ns = c.flag; break;
    case method::pull:
        // Its rows lie apart on both sides.
        ns = c.flag * (e.acknowledged ? 2 : 1) + bytes * c.stream_byte + rows * row + 2 * pages;
        break;
    case method::stage: ns = c.flag + 2 * gather + bytes * c.stage_byte; break;
    case method::stage_wide: ns = c.flag + 2 * gather + bytes * (2 * local_byte + c.stream_byte); break;
    case method::stage_chunks:
        // The pages that are packed from are those that are unpacked to.
        ns = c.flag + 2 * gather - pages + bytes * c.stage_byte;
        break;
    case method::message:
    case method::node_message:
        ns = 2 * p.network.overhead + p.network.latency + bytes * (p.network.byte + 2 * p.network.host_byte);
        ns += travels_as_it_lies(e, p) ? as_it_lies_ns(e, p) : packed_ns(e, p);
        break;
    case method::reference: ns = 4 * c.flag + bytes * 2; break;
    }
    return ns * 1e-3;
}

bool pays_together(int pairs, std::int64_t bytes, profile const& p, bool pretended) noexcept {
    // Near the limit one long message has been seen to take longer than several short ones.
    if (pretended || pairs < 2 || 2 * bytes > p.network.eager_bytes) return false;
    double const saved = 2 * (pairs - 1) * p.network.overhead;
    double const handed_over = 2 * p.near.flag + static_cast<double>(bytes) * 2 * p.near.stage_byte;
    return saved > handed_over;
}

choice choose(edge_features const& e, profile const& p, std::optional<method> forced) noexcept {
    if (e.apart == distance::other_node) {
        double const us = predict(e, method::message, p);
        return {method::message, us, method::message, us, forced == method::message || forced == method::node_message};
    }
    choice best{method::stage, 1e300, method::stage, 1e300, false};
    for (auto how : {method::pull, method::stage, method::stage_wide, method::stage_chunks}) {
        if ((how == method::stage_chunks && e.chunks == 0) || (how == method::pull && !e.shared)) continue;
        double const us = predict(e, how, p);
        if (us < best.expected_us)
            best = {how, us, best.how, best.expected_us, false};
        else if (us < best.runner_up_us)
            best.runner_up = how, best.runner_up_us = us;
    }
    if (forced == method::stage_chunks && e.chunks == 0) forced = method::stage;
    if ((forced == method::pull || forced == method::reference) && !e.shared) forced = method::stage;
    if (forced == method::node_message) forced.reset(); // within a node there is nothing to put together
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
