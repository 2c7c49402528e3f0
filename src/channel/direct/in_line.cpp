// SPDX-License-Identifier: Apache-2.0
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The bytes travel in the cache line of their own flag: one line moves instead of two, and the source's array is free at once. For
/// all edges of a pair of ranks, if they are so small together. The flag has two instances, used in turn.
class in_line_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr in_line_way() noexcept : way("inline", found_in::line) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override {
        return !e.on_device && e.together > 0 && e.together <= most_in_line && e.apart != distance::other_machine;
    }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return {.latency = p.of(e.apart).memory.flag};
    }

    /// Fills the line, then raises the flag.
    void give(way_site const& s, edge_span edges) const override {
        auto const line = s.build.add(payload_of(edges));
        for (auto const* e : edges)
            s.build
                .copy(s.stream, operation::inline_put, line, s.build.add(e->from),
                      compile(e->source_layout, contiguous(e->place, e->features.bytes)), e->target)
                .signal = e == edges.back() ? s.build.add(e->flag) : 0;
    }
    /// Waits for the flag, then empties the line.
    void take(way_site const& s, edge_span edges) const override {
        auto const line = s.build.add(payload_of(edges));
        for (auto const* e : edges)
            s.build
                .copy(s.stream, operation::inline_get, s.build.add(e->to), line,
                      compile(contiguous(e->place, e->features.bytes), e->target_layout), e->source)
                .trigger = e == edges.front() ? s.build.add(e->flag) : 0;
    }

private:
    [[nodiscard]] static buffer payload_of(edge_span edges) {
        auto const& last = *edges.back();
        return {.host = last.flag.host,
                .role = buffer_role::payload,
                .instances = parity::epoch,
                .ordinal = last.flag.index,
                .bytes = last.place + last.features.bytes};
    }
};

constinit in_line_way const in_line_object;

} // namespace

namespace ways {
way const& in_line = in_line_object;
}

} // namespace sode::internal
