// SPDX-License-Identifier: Apache-2.0
#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

namespace sode::internal::toy {
namespace {

constexpr std::int64_t chunk = element;

counter flag(int host, int writer, std::uint32_t index, std::int64_t step) {
    return {.host = host, .writer = writer, .index = index, .step = step};
}

copy_program one_chunk() {
    return compile(contiguous(0, chunk), contiguous(0, chunk));
}

/// Pairs of ranks: the even one gives all of its array to the odd one.
template <class Give, class Take> job pairs(int ranks, std::int64_t bytes, Give give, Take take) {
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"pairs", r, ranks};
        bool const gives = r % 2 == 0, alone = gives && r + 1 == ranks;
        if (alone) static_cast<void>(b.add_stream(-1));
        if (!alone && gives) give(b, r);
        if (!gives) {
            take(b, r);
            b.target().deliveries.push_back(whole(r - 1, bytes));
        }
        j.plans.push_back(b.finish());
        j.arrays.push_back(given(gives, bytes));
    }
    return j;
}

} // namespace

job carousel(int ranks) {
    constexpr std::int32_t laps = 2, chunks = 6, slots = 3, all = laps * chunks;
    auto const emit = [](plan_builder& b, int r, bool gives) {
        int const source = gives ? r : r - 1;
        auto const array = b.add(buffer{.host = r, .bytes = all * chunk});
        auto const stage = b.add(buffer{.host = source, .role = buffer_role::stage, .bytes = slots * chunk});
        auto const filled = b.add(flag(source, source, 0, all)), drained = b.add(flag(source, source + 1, 1, all));
        stride const round{.bytes = chunk, .slots = slots};
        loop_strides lap{.threshold = chunks, .value = chunks}, by{.threshold = 1, .value = 1};
        (gives ? lap.src : lap.dst) = {chunks * chunk};
        by.outer = b.add(lap);
        by.src = gives ? stride{chunk} : round;
        by.dst = gives ? round : stride{chunk};
        auto const s = b.add_stream(gives ? r + 1 : r - 1);
        b.emit(s, operation::loop).argument = laps;
        b.emit(s, operation::loop).argument = chunks;
        auto& d = gives ? b.copy(s, operation::pack, stage, array, one_chunk(), r + 1)
                        : b.copy(s, operation::unpack, array, stage, one_chunk(), r - 1);
        d.trigger = gives ? drained : filled;
        d.threshold = 1 - all - (gives ? slots : 0);
        d.signal = gives ? filled : drained;
        d.value = 1 - all;
        d.strides = b.add(by);
        b.emit(s, operation::end_loop);
        b.emit(s, operation::end_loop);
        b.target().own_lines = gives ? 2 : 0;
        b.target().own_stage = gives ? slots * chunk : 0;
    };
    return pairs(
        ranks, all * chunk, [&](plan_builder& b, int r) { emit(b, r, true); }, [&](plan_builder& b, int r) { emit(b, r, false); });
}

job scan(int ranks) {
    constexpr std::int32_t blocks = 2;
    constexpr std::int64_t bytes = blocks * 2 * chunk;
    // The first and the second element of each block, and where they go.
    layout const there{0, chunk, {{2, chunk}}, {}};
    layout back;
    back.list = {{chunk, chunk}, {0, chunk}};
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"scan", r, ranks};
        auto const turn = b.add(user_operator{.name = "turn", .element_bytes = chunk, .commutes = false});
        auto const input = b.add(buffer{.host = r, .ordinal = 0, .bytes = bytes});
        auto const result = [&](int host) { return b.add(buffer{.host = host, .ordinal = 1, .bytes = bytes}); };
        auto const ready = [&](int host) { return b.add(flag(host, host, 0, blocks)); };
        auto const taken = [&](int host) { return b.add(flag(host, host + 1, 1, 1)); };
        bool const has_next = r + 1 < ranks;
        b.target().own_lines = 2;
        auto const s = b.add_stream(r == 0 ? -1 : r - 1);
        b.emit(s, operation::loop).argument = blocks;
        auto& d = b.copy(s, r == 0 ? operation::copy : operation::reduce, result(r), input, compile(there, back), r - 1);
        if (r > 0) {
            d.argument = turn;
            d.operand = b.add(operand{.buffer = result(r - 1)});
            d.trigger = ready(r - 1);
            d.threshold = 1 - blocks;
        }
        if (has_next) {
            d.signal = ready(r);
            d.value = 1 - blocks;
        }
        stride const by{2 * chunk};
        d.strides = b.add(loop_strides{
            .src = by, .dst = by, .operand = r > 0 ? by : stride{}, .threshold = r > 0 ? 1 : 0, .value = has_next ? 1 : 0});
        b.emit(s, operation::end_loop);
        if (r > 0) {
            auto& over = b.emit(s, operation::signal);
            over.signal = taken(r - 1);
            over.peer = r - 1;
        }
        if (has_next) {
            auto& credit = b.emit(s, operation::credit);
            credit.trigger = taken(r);
            credit.peer = r + 1;
        }
        layout from = {0, chunk, {{blocks, 2 * chunk}, {2, chunk}}, {}}, to{0, 0, {{blocks, 2 * chunk}}, {}};
        to.list = back.list;
        for (int other = 0; other <= r; ++other)
            b.target().deliveries.push_back(
                {.source_rank = other, .source_array = 0, .source = from, .target_array = 1, .target = to, .combiner = turn});
        j.plans.push_back(b.finish());
        j.arrays.push_back(given_and_got(bytes));
    }
    return j;
}

job couriers(int ranks) {
    constexpr std::int32_t chunks = 5, slots = 2;
    stride const along{.bytes = chunk}, round{.bytes = chunk, .slots = slots};
    auto const message = [](plan_builder& b, std::uint32_t s, operation op, std::uint32_t at, int peer, stride const& by) {
        auto& d = b.copy(s, op, at, at, one_chunk(), peer);
        d.signal = b.add(flag(b.target().rank, b.target().rank, 0, chunks));
        d.value = 1 - chunks;
        d.strides = b.add(loop_strides{.src = by, .dst = by, .threshold = 1, .value = 1});
        return &d;
    };
    return pairs(
        ranks, chunks * chunk,
        [&](plan_builder& b, int r) {
            b.target().own_lines = 1;
            auto const array = b.add(buffer{.host = r, .bytes = chunks * chunk});
            auto const s = b.add_stream(r + 1);
            b.emit(s, operation::loop).argument = chunks;
            message(b, s, operation::send, array, r + 1, along);
            b.emit(s, operation::end_loop);
            b.emit(s, operation::wait).trigger = b.add(flag(r, r, 0, chunks));
        },
        [&](plan_builder& b, int r) {
            b.target().own_lines = 2;
            b.target().own_scratch = slots * chunk;
            auto const array = b.add(buffer{.host = r, .bytes = chunks * chunk});
            auto const place = b.add(buffer{.host = r, .role = buffer_role::scratch, .bytes = slots * chunk});
            auto const taken = b.add(flag(r, r, 1, chunks));
            auto const receives = b.add_stream(r - 1), takes = b.add_stream(-1);
            b.emit(receives, operation::loop).argument = chunks;
            auto* const d = message(b, receives, operation::receive, place, r - 1, round);
            d->trigger = taken;
            d->threshold = 1 - chunks - slots;
            b.emit(receives, operation::end_loop);
            b.emit(takes, operation::loop).argument = chunks;
            auto& take = b.copy(takes, operation::unpack, array, place, one_chunk());
            take.trigger = b.add(flag(r, r, 0, chunks));
            take.signal = taken;
            take.threshold = take.value = 1 - chunks;
            take.strides = b.add(loop_strides{.src = round, .dst = along, .threshold = 1, .value = 1});
            b.emit(takes, operation::end_loop);
        });
}

job parcels(int ranks) {
    constexpr std::int32_t chunks = 6, slots = 3;
    stride const along{.bytes = chunk}, round{.bytes = chunk, .slots = slots};
    auto const nothing = [] { return compile(contiguous(0, 0), contiguous(0, 0)); };
    auto const in_loop = [&](plan_builder& b, std::uint32_t s, auto emit) {
        b.emit(s, operation::loop).argument = chunks;
        emit();
        b.emit(s, operation::end_loop);
    };
    // One end of something carried, its signal one more in each iteration.
    auto const end = [&](plan_builder& b, std::uint32_t s, operation op, buffer const& to, std::uint32_t from, int peer,
                         counter const& signal, copy_program what, stride const& src, stride const& dst) -> descriptor& {
        auto& d = b.copy(s, op, b.add(to), from, std::move(what), peer);
        d.signal = b.add(signal);
        d.value = 1 - chunks;
        d.strides = b.add(loop_strides{.src = src, .dst = dst, .threshold = 1, .value = 1});
        return d;
    };
    auto const stage = [](int r) { return buffer{.host = r, .role = buffer_role::stage, .bytes = slots * chunk}; };
    auto const has_come = [](int target) { return flag(target, target - 1, 0, chunks); };
    auto const has_room = [](int source) { return flag(source, source + 1, 0, chunks); };
    return pairs(
        ranks, chunks * chunk,
        [&](plan_builder& b, int r) {
            b.target().own_lines = 1;
            buffer const whole{.host = r, .bytes = chunks * chunk};
            auto const array = b.add(whole);
            auto const gives = b.add_stream(r + 1), hears = b.add_stream(r + 1);
            in_loop(b, gives, [&] {
                auto& d = end(b, gives, operation::put, stage(r + 1), array, r + 1, has_come(r + 1), one_chunk(), along, round);
                d.trigger = b.add(has_room(r));
                d.threshold = 1 - chunks - slots;
            });
            in_loop(b, hears,
                    [&] { end(b, hears, operation::landing, whole, array, r + 1, has_room(r), nothing(), {}, {}).argument = 1; });
        },
        [&](plan_builder& b, int r) {
            b.target().own_lines = 2;
            b.target().own_stage = slots * chunk;
            buffer const whole{.host = r, .bytes = chunks * chunk};
            auto const array = b.add(whole), place = b.add(stage(r)), taken = b.add(flag(r, r, 1, chunks));
            auto const lands = b.add_stream(r - 1), takes = b.add_stream(r - 1);
            in_loop(b, lands, [&] {
                auto& d = end(b, lands, operation::landing, stage(r), place, r - 1, has_come(r), one_chunk(), round, round);
                d.trigger = taken; // two receives into one place are none of MPI's
                d.threshold = 1 - chunks - slots;
            });
            in_loop(b, takes, [&] {
                auto& d = b.copy(takes, operation::unpack, array, place, one_chunk());
                d.trigger = b.add(has_come(r));
                d.signal = taken;
                d.threshold = d.value = 1 - chunks;
                d.strides = b.add(loop_strides{.src = round, .dst = along, .threshold = 1, .value = 1});
                end(b, takes, operation::put, {.host = r - 1, .bytes = chunks * chunk}, array, r - 1, has_room(r - 1), nothing(),
                    {}, {})
                    .argument = 1;
            });
        });
}

job epochs_ahead(int ranks, std::uint16_t slots) {
    auto const element_at = [](index_t from, index_t to) { return compile(contiguous(from, element), contiguous(to, element)); };
    auto const emit = [&](plan_builder& b, int r, bool gives) {
        int const source = gives ? r : r - 1, target = source + 1;
        auto const array = b.add(buffer{.host = r, .bytes = 2 * element});
        auto const stage =
            b.add(buffer{.host = source, .role = buffer_role::stage, .instances = parity::epoch, .slots = slots, .bytes = element});
        auto const line = [&](std::uint32_t first) {
            return b.add(counter{.host = source, .writer = source, .index = first, .instances = parity::epoch, .slots = slots});
        };
        auto const payload = b.add(buffer{.host = source,
                                          .role = buffer_role::payload,
                                          .instances = parity::epoch,
                                          .slots = slots,
                                          .ordinal = 1U + slots,
                                          .bytes = element});
        auto const drained = b.add(flag(source, target, 0, 1));
        auto const s = b.add_stream(gives ? target : source);
        if (gives) {
            b.target().own_lines = 1 + 2 * slots;
            b.target().own_stage = slots * element;
            auto& pack = b.copy(s, operation::pack, stage, array, element_at(0, 0), target);
            pack.trigger = drained;
            pack.threshold = -slots;
            pack.signal = line(1);
            b.copy(s, operation::inline_put, payload, array, element_at(element, 0), target).signal = line(1U + slots);
        } else {
            b.copy(s, operation::unpack, array, stage, element_at(0, 0), source).trigger = line(1);
            auto& get = b.copy(s, operation::inline_get, array, payload, element_at(0, element), source);
            get.trigger = line(1U + slots);
            get.signal = drained;
        }
    };
    return pairs(
        ranks, 2 * element, [&](plan_builder& b, int r) { emit(b, r, true); }, [&](plan_builder& b, int r) { emit(b, r, false); });
}

} // namespace sode::internal::toy
