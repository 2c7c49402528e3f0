// SPDX-License-Identifier: Apache-2.0
#include "collective/reduce.hpp"

#include "channel/method.hpp"
#include "plan/builder.hpp"

#include <fmt/format.h>

namespace sode {

plan build_reduce(int rank, int ranks, std::size_t bytes, std::uint32_t combiner) {
    auto const size = static_cast<std::int64_t>(bytes);
    auto const room = reduce_room(bytes);
    bool const fits_line = size <= payload_bytes;
    plan_builder b{fmt::format("reduce of {} bytes", bytes), rank, ranks};
    auto& p = b.target();
    p.own_lines = 2; // used in turn: everybody waits for everybody, so a line is free again two epochs later
    p.own_stage = fits_line ? 0 : 2 * room;
    p.own_scratch = 2 * room;

    auto const flag = [&](int r) {
        return b.add(counter{.host = r, .writer = r, .index = 0, .kind = counter_kind::flag, .instances = parity::epoch});
    };
    auto const contribution = [&](int r) {
        return b.add(
            fits_line
                ? buffer{.host = r, .role = buffer_role::payload, .instances = parity::epoch, .ordinal = 0, .bytes = payload_bytes}
                : buffer{.host = r, .role = buffer_role::stage, .instances = parity::epoch, .bytes = room});
    };
    auto const whole = compile(contiguous(0, size), contiguous(0, size));
    auto const input = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = 0, .bytes = room});
    auto const result = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = room, .bytes = room});

    auto const local = b.add_stream(-1);
    b.copy(local, fits_line ? operation::inline_put : operation::pack, contribution(rank), input, whole).signal = flag(rank);
    auto const combining = b.add_stream(-1);
    for (int r = 0; r < ranks; ++r) {
        auto& d = b.copy(combining, r == 0 ? operation::copy : operation::reduce, result, contribution(r), whole, r);
        d.trigger = flag(r);
        d.argument = combiner;
    }
    return b.finish();
}

} // namespace sode
