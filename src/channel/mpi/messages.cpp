// SPDX-License-Identifier: Apache-2.0
#include "channel/mpi/messages.hpp"

#include "channel/device_costs.hpp"
#include "channel/moves.hpp"
#include "channel/ways.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sode::internal {
namespace mpi {
namespace {

std::int64_t bytes_of(edge_list const& edges) {
    std::int64_t sum = 0;
    for (auto const* e : edges) sum += e->features.bytes;
    return sum;
}

bool lies_together(edge_list const& edges, layout edge::*side) {
    auto const& l = edges.front()->*side;
    return edges.size() == 1 && l.is_nest() && l.loops.empty();
}

bool goes_as_it_lies(edge_list const& edges) {
    return edges.size() == 1 && edges.front()->features.span > 0;
}

std::int64_t span_of(layout const& l) {
    auto const [first, last] = l.extent();
    return last - first;
}

/// What lies between the rows of a nest whose loops do not interleave: a layout for each loop.
std::vector<layout> gaps_of(layout const& nest) {
    std::vector<layout> gaps;
    std::int64_t inner = nest.block;
    for (auto l = nest.loops.size(); l-- > 0;) {
        auto const& [count, stride] = nest.loops[l];
        layout gap;
        gap.offset = nest.offset + inner;
        gap.block = stride - inner;
        gap.loops.assign(nest.loops.begin(), std::next(nest.loops.begin(), static_cast<std::ptrdiff_t>(l) + 1));
        --gap.loops.back().count;
        gaps.push_back(normalised(std::move(gap)));
        inner += (count - 1) * stride;
    }
    return gaps;
}

std::map<int, edge_list> by(int edge::*end, edge_span edges) {
    std::map<int, edge_list> found;
    for (auto const* e : edges) found[e->*end].push_back(e);
    return found;
}

} // namespace

void messages::begin(std::uint32_t stream, edge_span leaving, edge_span arriving) {
    int const rank = build_.target().rank;
    auto const in = by(&edge::source, arriving), out = by(&edge::target, leaving);
    // From below first: their first message comes here.
    auto const above = in.upper_bound(rank);
    for (auto i = std::make_reverse_iterator(above); i != in.rend(); ++i) receive(stream, i->second);
    for (auto i = in.rbegin(); i != std::make_reverse_iterator(above); ++i) receive(stream, i->second);
    auto const next = out.upper_bound(rank);
    for (auto i = next; i != out.end(); ++i) send(stream, i->second);
    for (auto i = out.begin(); i != next; ++i) send(stream, i->second);
}

std::uint32_t messages::of_host(std::uint32_t stream) {
    if (!lines_) return stream;
    if (!host_) host_ = build_.add_stream(-1);
    return *host_;
}

bool messages::in_segments(edge_list const& edges) const noexcept {
    return lines_ && std::ranges::any_of(edges, [](edge const* e) { return e->features.segment > 0; });
}

message_ring messages::ring_for(edge_list const& edges) {
    return {build_, edges, std::exchange(lines_->rings, lines_->rings + message_ring::lines)};
}

void messages::send_packed(std::uint32_t stream, edge_list const& edges) {
    auto const& first = *edges.front();
    int const rank = build_.target().rank;
    auto const place = private_place(build_, bytes_of(edges));
    gather(build_, stream, edges, place);
    auto const is_packed = build_.add(counter{.host = rank, .writer = rank, .index = lines_->packed++});
    build_.emit(stream, operation::signal).signal = is_packed;
    auto const host = of_host(stream);
    build_.emit(host, operation::wait).trigger = is_packed;
    leaving_[first.target] = emit(host, operation::send, place, 0, place.bytes, first.target);
}

void messages::send(std::uint32_t stream, edge_list const& edges) {
    if (in_segments(edges)) return ring_for(edges).send();
    if (lines_) return send_packed(stream, edges);
    auto const& first = *edges.front();
    auto const& l = first.source_layout;
    if (lies_together(edges, &edge::source_layout) || goes_as_it_lies(edges)) {
        leaving_[first.target] = emit(stream, operation::send, first.from, l.extent().first, span_of(l), first.target);
        return;
    }
    auto const place = private_place(build_, bytes_of(edges));
    gather(build_, stream, edges, place);
    leaving_[first.target] = emit(stream, operation::send, place, 0, place.bytes, first.target);
}

void messages::receive(std::uint32_t stream, edge_list const& edges) {
    auto const& first = *edges.front();
    if (goes_as_it_lies(edges)) return receive_as_it_lies(stream, first);
    if (in_segments(edges)) return rings_.emplace(first.source, ring_for(edges)).first->second.receive();
    bool const straight = !lines_ && !first.combines && lies_together(edges, &edge::target_layout);
    auto const place = straight ? first.to : private_place(build_, bytes_of(edges));
    auto const offset = straight ? first.target_layout.offset : 0;
    auto const over = emit(of_host(stream), operation::receive, place, offset, bytes_of(edges), first.source);
    arriving_[first.source] = {straight ? edge_list{} : edges, place, over};
}

void messages::receive_as_it_lies(std::uint32_t stream, edge const& e) {
    auto const gaps = gaps_of(e.target_layout);
    std::int64_t bytes = 0;
    for (auto const& g : gaps) bytes += g.bytes();
    auto const place = private_place(build_, bytes);
    auto const to = build_.add(place), array = build_.add(e.to);
    std::int64_t at = 0;
    for (auto const& g : gaps) {
        build_.target().loans.push_back({e.to.ordinal, g});
        build_.copy(stream, operation::pack, to, array, compile(g, contiguous(at, g.bytes())));
        at += g.bytes();
    }
    auto const& l = e.target_layout;
    auto const over = emit(stream, operation::receive, e.to, l.offset, span_of(l), e.source);
    arriving_[e.source] = {{&e}, place, over};
}

void messages::await(std::uint32_t stream, int source) {
    if (rings_.contains(source)) return; // each segment is waited for by itself
    await_over(stream, source, arriving_.at(source).over);
}

void messages::take(std::uint32_t stream, int source) {
    if (auto const r = rings_.find(source); r != rings_.end()) return r->second.take(stream);
    auto const& [edges, place, over] = arriving_.at(source);
    if (edges.empty()) return;
    if (goes_as_it_lies(edges)) return put_back(stream, *edges.front(), place);
    scatter(build_, stream, edges, place, source);
}

void messages::put_back(std::uint32_t stream, edge const& e, buffer const& saved) {
    auto const array = build_.add(e.to), from = build_.add(saved);
    std::int64_t at = 0;
    for (auto const& g : gaps_of(e.target_layout)) {
        build_.copy(stream, operation::unpack, array, from, compile(contiguous(at, g.bytes()), g), e.source);
        at += g.bytes();
    }
}

void messages::leave(std::uint32_t stream, int target) {
    if (auto const m = leaving_.find(target); m != leaving_.end()) await_over(stream, target, m->second);
}

std::uint32_t messages::emit(std::uint32_t stream, operation op, buffer const& place, std::int64_t offset, std::int64_t bytes,
                             int peer) {
    int const rank = build_.target().rank;
    auto const over = build_.add(counter{.host = rank, .writer = rank, .index = next_line_++});
    auto const at = build_.add(place);
    auto& d = build_.copy(stream, op, at, at, compile(contiguous(0, bytes), contiguous(0, bytes)), peer);
    d.src_offset = d.dst_offset = offset;
    d.signal = over;
    return over;
}

void messages::await_over(std::uint32_t stream, int peer, std::uint32_t over) {
    auto& d = build_.emit(stream, operation::wait);
    d.trigger = over;
    d.peer = peer;
}

} // namespace mpi

namespace {

/// Packed, by MPI: all edges of a pair of ranks in one message.
class mpi_way final : public way { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr mpi_way() noexcept : way("mpi", found_in::message) {}

    [[nodiscard]] bool can(edge_features const& /*e*/) const noexcept override { return true; }
    [[nodiscard]] bool offered(edge_features const& e) const noexcept override { return e.apart == distance::other_machine; }
    [[nodiscard]] expense cost(edge_features const& e, profile const& p) const noexcept override {
        return e.on_device && !e.mpi_takes ? device_cost::in_segments(e, p) : edge_cost::message(e, p);
    }

    void begin(way_site const& s, edge_span leaving, edge_span arriving) const override {
        s.messages->begin(s.stream, leaving, arriving);
    }
    void await(way_site const& s, edge_span edges) const override { s.messages->await(s.stream, edges.front()->source); }
    void take(way_site const& s, edge_span edges) const override { s.messages->take(s.stream, edges.front()->source); }
};

constinit mpi_way const mpi_object;

} // namespace

namespace ways {
way const& mpi = mpi_object;
}

} // namespace sode::internal
