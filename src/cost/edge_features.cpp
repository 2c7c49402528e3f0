// SPDX-License-Identifier: Apache-2.0
#include "cost/edge_features.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// Pages that the rows of an edge lie on, beyond those that a core keeps translations for.
double strange_pages(edge_features const& e, profile const& p) noexcept {
    double const a_row = std::min(1.0, static_cast<double>(e.pitch) / static_cast<double>(p.page_bytes));
    return std::max(0.0, static_cast<double>(e.rows) * a_row - static_cast<double>(p.cached_pages));
}

// What the rows of a message cost beyond a message of one row, at each end. Packed bytes lie elsewhere than those that were just
// written, as in a stage.
expense packed(edge_features const& e, profile const& p) noexcept {
    auto const bytes = static_cast<double>(e.bytes);
    double const byte = e.bytes > p.cache_bytes ? p.local_byte_big : std::max(p.local_byte, p.of(distance::near).memory.stage_byte);
    if (e.rows < 2) return {};
    return at_both_ends(static_cast<double>(e.rows) * p.pack_row + strange_pages(e, p) * p.far_row_page + bytes * byte);
}
// Gaps travel, and are saved and put back by the target.
expense as_it_lies(edge_features const& e, profile const& p) noexcept {
    auto const gaps = static_cast<double>(e.span - e.bytes);
    double const put_back = 2 * (static_cast<double>(e.rows) * p.pack_row + gaps * p.local_byte);
    return {.source = gaps * p.network.host_byte, .target = gaps * p.network.host_byte + put_back, .link = gaps * p.network.byte};
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
    return e.span > 0 && as_it_lies(e, p).total() < packed(e, p).total();
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
    auto const& c = p.of(e.apart).memory;
    bool const is_short = e.rows > 1 && e.row_bytes < p.short_row_bytes;
    // Rows that all but touch (a face of whole planes, with the shadow between them) are one stream to the prefetcher.
    double const row = is_short ? c.short_row : e.pitch - e.row_bytes <= p.bridged_gap ? 0.0 : c.row;
    return static_cast<double>(e.rows) * row;
}

expense message(edge_features const& e, profile const& p) noexcept {
    auto const bytes = static_cast<double>(e.bytes);
    if (e.mpi_takes && !p.devices.messages.empty())
        return network{.name = "mpi", .protocols = p.devices.messages}.cost(e.bytes, 1, e.bytes); // a kernel has packed
    expense const as_one_row{.source = p.network.overhead + bytes * p.network.host_byte,
                             .target = p.network.overhead + bytes * p.network.host_byte,
                             .link = bytes * p.network.byte,
                             .latency = p.network.latency};
    return as_one_row + (travels_as_it_lies(e, p) ? as_it_lies(e, p) : packed(e, p));
}

} // namespace edge_cost
} // namespace sode::internal
