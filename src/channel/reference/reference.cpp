// SPDX-License-Identifier: Apache-2.0
#include "channel/reference/reference.hpp"

namespace sode::reference {
namespace {

counter flag(int rank, std::uint32_t line) {
    return {.host = rank, .writer = rank, .index = line};
}

} // namespace

void everybody(plan_builder& b, std::uint16_t stream, std::uint32_t line) {
    auto const& p = b.target();
    b.emit(stream, operation::signal).signal = b.add(flag(p.rank, line));
    for (int r = 0; r < p.ranks; ++r)
        if (r != p.rank) {
            auto& d = b.emit(stream, operation::wait);
            d.trigger = b.add(flag(r, line));
            d.peer = r;
        }
}

void emit(plan_builder& b, std::span<edge const> edges, std::uint32_t first_line) {
    std::uint16_t const stream = 0;
    everybody(b, stream, first_line);
    for (auto const& e : edges) {
        b.copy(stream, operation::copy, b.add(e.to), b.add(e.from), by_reference(compile(e.source_layout, e.target_layout)),
               e.source == e.target ? -1 : e.source);
    }
    everybody(b, stream, first_line + 1);
}

} // namespace sode::reference
