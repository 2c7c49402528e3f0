// SPDX-License-Identifier: Apache-2.0
#include "collective/reduce.hpp"

#include "collective/contributions.hpp"

#include <fmt/format.h>

#include <numeric>

namespace sode {

std::int64_t reduce_terms::bytes() const noexcept {
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0}, [](auto sum, auto const& p) { return sum + p.bytes; });
}

void combine_contributions(plan_builder& b, std::uint16_t stream, reduce_terms const& terms, int ranks, std::uint32_t result,
                           contribution_of const& where) {
    auto const size = terms.bytes();
    bool first = true;
    for (int r = 0; r < ranks; ++r) {
        auto const from = where(r);
        if (!terms.has(r)) {
            if (from.ready != 0) b.emit(stream, operation::wait).trigger = from.ready;
            continue;
        }
        if (first) {
            auto& d =
                b.copy(stream, operation::copy, result, from.buffer, compile(contiguous(0, size), contiguous(0, size)), from.peer);
            d.src_offset = from.offset;
            d.trigger = from.ready;
            first = false;
            continue;
        }
        std::int64_t at = 0;
        for (auto const& part : terms.parts) {
            auto& d = b.copy(stream, operation::reduce, result, from.buffer,
                             compile(contiguous(0, part.bytes), contiguous(0, part.bytes)), from.peer);
            d.src_offset = from.offset + at;
            d.dst_offset = at;
            d.argument = part.combiner;
            if (at == 0) d.trigger = from.ready;
            at += part.bytes;
        }
    }
}

plan build_reduce(int rank, int ranks, reduce_terms const& terms) {
    auto const size = terms.bytes();
    auto const room = reduce_room(size);
    bool const fits_line = size <= payload_bytes;
    plan_builder b{fmt::format("{} of {} bytes", terms.root < 0 ? "reduce" : "broadcast", size), rank, ranks};
    auto& p = b.target();
    p.own_lines = 2; // used in turn: everybody waits for everybody, so a line is free again two epochs later
    p.own_stage = fits_line || !terms.has(rank) ? 0 : 2 * room;
    p.own_scratch = 2 * room;

    auto const flag = [&](int r) {
        return b.add(counter{.host = r, .writer = r, .index = 0, .kind = counter_kind::flag, .instances = parity::epoch});
    };
    auto const place_of = [&](int r) {
        return b.add(
            fits_line
                ? buffer{.host = r, .role = buffer_role::payload, .instances = parity::epoch, .ordinal = 0, .bytes = payload_bytes}
                : buffer{.host = r, .role = buffer_role::stage, .instances = parity::epoch, .bytes = room});
    };
    auto const input = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = 0, .bytes = room});
    auto const result = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = room, .bytes = room});

    auto const local = b.add_stream(-1);
    if (terms.has(rank))
        b.copy(local, fits_line ? operation::inline_put : operation::pack, place_of(rank), input,
               compile(contiguous(0, size), contiguous(0, size)))
            .signal = flag(rank);
    else
        b.emit(local, operation::signal).signal = flag(rank);
    auto const combining = b.add_stream(-1);
    combine_contributions(b, combining, terms, ranks, result, [&](int r) {
        return contribution{.buffer = terms.has(r) ? place_of(r) : 0, .ready = flag(r), .peer = r};
    });
    return b.finish();
}

} // namespace sode
