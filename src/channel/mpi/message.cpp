// SPDX-License-Identifier: Apache-2.0
#include "channel/mpi/message.hpp"

#include "channel/twins.hpp"

#include <algorithm>
#include <iterator>

namespace sode {

bool on_one_node(std::vector<int> const& nodes) noexcept {
    return std::all_of(nodes.begin(), nodes.end(), [&](int n) { return n == nodes.front(); });
}

std::optional<method> forced_over(std::vector<int> const& nodes, std::optional<method> forced) noexcept {
    return forced == method::reference && !on_one_node(nodes) ? method::message : forced;
}

namespace mpi {
namespace {

std::int64_t bytes_of(std::vector<edge> const& edges) {
    std::int64_t sum = 0;
    for (auto const& e : edges) sum += e.bytes;
    return sum;
}

bool lies_together(std::vector<edge> const& edges, layout edge::*side) {
    auto const& l = edges.front().*side;
    return edges.size() == 1 && l.is_nest() && l.loops.empty();
}

bool goes_as_it_lies(std::vector<edge> const& edges) {
    return edges.size() == 1 && edges.front().as_it_lies;
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

} // namespace

void messages::begin(std::uint16_t stream, by_peer const& arriving, by_peer const& leaving) {
    int const rank = build_.target().rank;
    // From below first: their first message comes here.
    auto const above = arriving.upper_bound(rank);
    for (auto i = std::make_reverse_iterator(above); i != arriving.rend(); ++i) receive(stream, i->second);
    for (auto i = arriving.rbegin(); i != std::make_reverse_iterator(above); ++i) receive(stream, i->second);
    auto const next = leaving.upper_bound(rank);
    for (auto i = next; i != leaving.end(); ++i) send(stream, i->second);
    for (auto i = leaving.begin(); i != next; ++i) send(stream, i->second);
}

void messages::send(std::uint16_t stream, std::vector<edge> const& edges) {
    auto const& first = edges.front();
    if (lies_together(edges, &edge::source_layout)) {
        leaving_[first.target] = emit(stream, operation::send, first.from, first.source_layout.offset, first.bytes, first.target);
        return;
    }
    if (goes_as_it_lies(edges)) {
        auto const& l = first.source_layout;
        leaving_[first.target] = emit(stream, operation::send, first.from, l.offset, span_of(l), first.target);
        return;
    }
    auto const place = private_place(build_, bytes_of(edges));
    std::vector<array_copy> list;
    std::int64_t at = 0;
    for (auto const& e : edges) {
        list.push_back({compile(e.source_layout, contiguous(at, e.bytes)), e.from});
        at += e.bytes;
    }
    auto const target = build_.add(place);
    for (auto& c : with_twins_fused(std::move(list)))
        build_.copy(stream, operation::pack, target, build_.add(c.array), as_asked(std::move(c.program)));
    leaving_[first.target] = emit(stream, operation::send, place, 0, place.bytes, first.target);
}

void messages::receive(std::uint16_t stream, std::vector<edge> const& edges) {
    auto const& first = edges.front();
    if (goes_as_it_lies(edges)) return receive_as_it_lies(stream, first);
    bool const straight = lies_together(edges, &edge::target_layout);
    auto const place = straight ? first.to : private_place(build_, bytes_of(edges));
    auto const offset = straight ? first.target_layout.offset : 0;
    auto const over = emit(stream, operation::receive, place, offset, bytes_of(edges), first.source);
    arriving_[first.source] = {straight ? std::vector<edge>{} : edges, place, over};
}

void messages::receive_as_it_lies(std::uint16_t stream, edge const& e) {
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
    arriving_[e.source] = {{e}, place, over};
}

void messages::arrive(std::uint16_t stream, int source) {
    auto const& [edges, place, over] = arriving_.at(source);
    await(stream, source, over);
    if (edges.empty()) return;
    if (goes_as_it_lies(edges)) return put_back(stream, edges.front(), place);
    std::vector<array_copy> list;
    std::int64_t at = 0;
    for (auto const& e : edges) {
        list.push_back({compile(contiguous(at, e.bytes), e.target_layout), e.to});
        at += e.bytes;
    }
    auto const from = build_.add(place);
    for (auto& c : with_twins_fused(std::move(list)))
        build_.copy(stream, operation::unpack, build_.add(c.array), from, as_asked(std::move(c.program)), source);
}

void messages::put_back(std::uint16_t stream, edge const& e, buffer const& saved) {
    auto const array = build_.add(e.to), from = build_.add(saved);
    std::int64_t at = 0;
    for (auto const& g : gaps_of(e.target_layout)) {
        build_.copy(stream, operation::unpack, array, from, compile(contiguous(at, g.bytes()), g), e.source);
        at += g.bytes();
    }
}

void messages::leave(std::uint16_t stream, int target) {
    if (auto const m = leaving_.find(target); m != leaving_.end()) await(stream, target, m->second);
}

std::uint32_t messages::emit(std::uint16_t stream, operation op, buffer const& place, std::int64_t offset, std::int64_t bytes,
                             int peer) {
    int const rank = build_.target().rank;
    auto const over = build_.add(counter{.host = rank, .writer = rank, .index = next_line_++});
    auto const at = build_.add(place);
    auto& d = build_.copy(stream, op, at, at, compile(contiguous(0, bytes), contiguous(0, bytes)), peer);
    d.src_offset = d.dst_offset = offset;
    d.signal = over;
    return over;
}

void messages::await(std::uint16_t stream, int peer, std::uint32_t over) {
    auto& d = build_.emit(stream, operation::wait);
    d.trigger = over;
    d.peer = peer;
}

} // namespace mpi
} // namespace sode
