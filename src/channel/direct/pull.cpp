// SPDX-License-Identifier: Apache-2.0
#include "channel/direct/pull.hpp"

#include "channel/twins.hpp"

namespace sode::direct {

void emit_pull(plan_builder& b, std::uint16_t stream, edge const& e) {
    b.copy(stream, operation::copy, b.add(e.to), b.add(e.from), compile(e.source_layout, e.target_layout), e.source);
}

void emit_self(plan_builder& b, std::uint16_t stream, std::span<edge const> edges) {
    if (edges.empty()) return;
    std::vector<array_copy> list;
    for (auto const& e : edges) list.push_back({compile(e.source_layout, e.target_layout), e.to});
    for (auto& c : with_twins_fused(std::move(list))) {
        auto const array = b.add(c.array);
        b.copy(stream, operation::copy, array, array, std::move(c.program));
    }
}

} // namespace sode::direct
