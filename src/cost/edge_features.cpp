// SPDX-License-Identifier: Apache-2.0
#include "cost/edge_features.hpp"

#include <algorithm>

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

bool crosses_pages(edge_features const& e, profile const& p) noexcept {
    return strange_pages(e, p) > 0;
}

pattern pattern_of(edge_features const& e, profile const& p) noexcept {
    if (e.rows <= 1) return pattern::contiguous;
    return e.row_bytes < p.short_row_bytes ? pattern::strided : pattern::block_strided;
}

bool travels_as_it_lies(edge_features const& e, profile const& p) noexcept {
    return e.span > 0 && as_it_lies_ns(e, p) < packed_ns(e, p);
}

namespace edge_cost {

double local_byte(edge_features const& e, profile const& p) noexcept {
    return e.bytes > p.cache_bytes ? p.local_byte_big : p.local_byte;
}

double pages(edge_features const& e, profile const& p) noexcept {
    return strange_pages(e, p) * p.far_row_page;
}

double gather(edge_features const& e, profile const& p) noexcept {
    return static_cast<double>(e.rows) * p.pack_row + pages(e, p) + static_cast<double>(e.bytes) * local_byte(e, p);
}

double rows_of_other(edge_features const& e, profile const& p) noexcept {
    auto const& c = p.at(e.apart);
    bool const is_short = e.rows > 1 && e.row_bytes < p.short_row_bytes;
    // Rows that all but touch (a face of whole planes, with the shadow between them) are one stream to the prefetcher.
    double const row = is_short ? c.short_row : e.pitch - e.row_bytes <= p.bridged_gap ? 0.0 : c.row;
    return static_cast<double>(e.rows) * row;
}

double message(edge_features const& e, profile const& p) noexcept {
    double const ns =
        2 * p.network.overhead + p.network.latency + static_cast<double>(e.bytes) * (p.network.byte + 2 * p.network.host_byte);
    return ns + (travels_as_it_lies(e, p) ? as_it_lies_ns(e, p) : packed_ns(e, p));
}

} // namespace edge_cost
} // namespace sode
