// SPDX-License-Identifier: Apache-2.0
#include "channel/ways.hpp"

namespace sode::internal {
namespace {

/// The source stores box to box into the target's array, and tells it by a flag there (paper P0, section 2.3): the face's rows are
/// one chain of descriptors for an interface that can put, and nothing else. Each edge has a stream at both ends, which waits for
/// one counter of its own rank. Whoever runs the plan can do it: what has no interface copies.
class put_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr put_way() noexcept : way("put", found_in::landed) {}

    [[nodiscard]] bool can(edge_features const& e) const noexcept override { return e.stored; }
    /// Where only puts are to be had, a pattern takes them without asking what else there would be.
    [[nodiscard]] bool offered(edge_features const& /*e*/) const noexcept override { return false; }
    /// Two words: that the halo may be written, and that it has been.
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        auto here = e;
        if (here.apart == distance::other_machine) here.apart = distance::far;
        auto const& c = p.of(here.apart).memory;
        return {.source =
                    static_cast<double>(e.bytes) * c.stream_byte + edge_cost::rows_of_other(here, p) + 2 * edge_cost::pages(e, p),
                .latency = 2 * c.flag};
    }
    [[nodiscard]] way const* instead(edge_features const& e) const noexcept override {
        return e.apart == distance::other_machine ? &ways::mpi : e.on_device ? &ways::device_push : &ways::pull;
    }

    /// At the target: where it lands, and who waits for that.
    void begin(way_site const& s, edge_span /*leaving*/, edge_span arriving) const override {
        for (auto const* e : arriving) {
            auto const array = s.build.add(e->to), flag = s.build.add(e->flag);
            auto& landing =
                s.build.copy(s.stream, operation::landing, array, array, compile(e->target_layout, e->target_layout), e->source);
            landing.argument = number_of(*e);
            landing.signal = flag;
            s.build.wish_nic(s.opened->emplace_back(opened_stream{.stream = s.build.add_stream(e->source), .brings = {e}}).stream,
                             nic_of(*e));
            auto& d = s.build.emit(s.opened->back().stream, operation::wait);
            d.trigger = flag;
            d.peer = e->source;
        }
    }
    /// At the source, for one target: a stream for each edge, which begins when the counter `s.may_begin` says so.
    void give(way_site const& s, edge_span edges) const override {
        for (auto const* e : edges) {
            auto const stream = s.build.add_stream(e->target);
            s.build.wish_nic(stream, nic_of(*e));
            auto& told = s.build.emit(stream, operation::credit);
            told.trigger = s.may_begin;
            told.peer = e->target;
            auto& d = s.build.copy(stream, operation::put, s.build.add(e->to), s.build.add(e->from),
                                   compile(e->source_layout, e->target_layout), e->target);
            d.signal = s.build.add(e->flag);
            d.argument = number_of(*e);
        }
    }

private:
    // Of two ranks: messages have 0 and 1, and 2 says that puts may begin.
    [[nodiscard]] static std::uint32_t number_of(edge const& e) noexcept { return 3 + static_cast<std::uint32_t>(e.slot); }
    // Faces go by different interfaces, where there are some.
    [[nodiscard]] static std::uint8_t nic_of(edge const& e) noexcept { return static_cast<std::uint8_t>(e.slot % 256); }
};

constinit put_way const put_object;

} // namespace

namespace ways {
way const& put = put_object;
}

} // namespace sode::internal
