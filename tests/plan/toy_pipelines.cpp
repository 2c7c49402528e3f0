// SPDX-License-Identifier: Apache-2.0
#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

namespace sode::internal::toy {
namespace {

counter flag(int host, int writer, std::uint32_t index, std::int64_t step) {
    return {.host = host, .writer = writer, .index = index, .step = step};
}

constexpr std::uint32_t added = combiner(reduction::sum, sode::internal::element::f64);

copy_program block(std::int64_t bytes) {
    return compile(contiguous(0, bytes), contiguous(0, bytes));
}

} // namespace

job chain_pipeline(int ranks) {
    constexpr std::int32_t chunks = 5;
    constexpr std::int64_t chunk = 2 * element, bytes = chunks * chunk;
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"chain", r, ranks};
        b.target().own_lines = 2;
        auto const array = [&](int host) { return b.add(buffer{.host = host, .bytes = bytes}); };
        auto const progress = [&](int host) { return b.add(flag(host, host, 0, chunks)); };
        auto const ack = [&](int host) { return b.add(flag(host, host + 1, 1, 1)); };
        auto const s = b.add_stream(-1);
        bool const has_next = r + 1 < ranks;
        if (r == 0) {
            if (has_next) b.emit(s, operation::signal).signal = progress(0);
        } else {
            b.emit(s, operation::loop).argument = chunks;
            auto& copy = b.copy(s, operation::copy, array(r), array(r - 1), block(chunk), r - 1);
            copy.trigger = progress(r - 1);
            copy.threshold = 1 - chunks;
            if (has_next) {
                copy.signal = progress(r);
                copy.value = 1 - chunks;
            }
            copy.strides = b.add(loop_strides{.src = {chunk}, .dst = {chunk}, .threshold = 1, .value = has_next ? 1 : 0});
            b.emit(s, operation::end_loop);
            auto& over = b.emit(s, operation::signal);
            over.signal = ack(r - 1);
            over.peer = r - 1;
            b.target().deliveries.push_back(whole(0, bytes));
        }
        if (has_next) {
            auto& credit = b.emit(s, operation::credit);
            credit.trigger = ack(r);
            credit.peer = r + 1;
        }
        j.plans.push_back(b.finish());
        j.arrays.push_back(given(r == 0, bytes));
    }
    return j;
}

job conveyor(int ranks) {
    constexpr std::int32_t chunks = 6;
    constexpr std::int64_t chunk = element, bytes = chunks * chunk;
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"conveyor", r, ranks};
        int const source = r / 2 * 2, target = source + 1;
        auto const array = b.add(buffer{.host = r, .bytes = bytes});
        auto const s = b.add_stream(target < ranks ? source + target - r : -1);
        if (target < ranks) {
            auto const filled = b.add(flag(source, source, 0, chunks)), drained = b.add(flag(source, target, 1, chunks));
            b.emit(s, operation::loop).argument = chunks / 2;
            for (std::int32_t slot : {0, 1}) {
                auto const stage =
                    b.add(buffer{.host = source, .role = buffer_role::stage, .offset = slot * chunk, .bytes = chunk});
                bool const fills = r == source;
                auto& d = fills ? b.copy(s, operation::pack, stage, array, block(chunk), target)
                                : b.copy(s, operation::unpack, array, stage, block(chunk), source);
                (fills ? d.src_offset : d.dst_offset) = slot * chunk;
                d.trigger = fills ? drained : filled;
                d.threshold = slot + 1 - chunks - (fills ? 2 : 0); // a slot is free when the chunk before last has left it
                d.signal = fills ? filled : drained;
                d.value = slot + 1 - chunks;
                loop_strides by{.threshold = 2, .value = 2};
                (fills ? by.src : by.dst) = {2 * chunk};
                d.strides = b.add(by);
            }
            b.emit(s, operation::end_loop);
            if (r == source) {
                b.target().own_lines = 2;
                b.target().own_stage = 2 * chunk;
            } else {
                b.target().deliveries.push_back(whole(source, bytes));
            }
        }
        j.plans.push_back(b.finish());
        j.arrays.push_back(given(r == source, bytes));
    }
    return j;
}

job allreduce(int ranks) {
    constexpr std::int64_t bytes = 3 * element;
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"allreduce", r, ranks};
        b.target().own_stage = 2 * bytes;
        auto const input = b.add(buffer{.host = r, .ordinal = 0, .bytes = bytes});
        auto const result = [&](int host) { return b.add(buffer{.host = host, .ordinal = 1, .bytes = bytes}); };
        auto const stage = [&](int host) {
            return b.add(buffer{.host = host, .role = buffer_role::stage, .instances = parity::epoch, .bytes = bytes});
        };
        counter const arrived{.host = 0, .writer = -1, .index = 0, .kind = counter_kind::sum, .step = std::max(ranks - 1, 1)};
        auto const reduced = b.add(flag(0, 0, 1, 1));
        auto const s = b.add_stream(-1);
        if (r == 0) {
            b.target().own_lines = 2;
            if (ranks > 1) b.emit(s, operation::wait).trigger = b.add(arrived);
            b.copy(s, operation::copy, result(0), input, block(bytes));
            for (int other = 1; other < ranks; ++other)
                b.copy(s, operation::reduce, result(0), stage(other), block(bytes), other).argument = added;
            if (ranks > 1) b.emit(s, operation::signal).signal = reduced;
        } else {
            auto& pack = b.copy(s, operation::pack, stage(r), input, block(bytes));
            pack.signal = b.add(arrived);
            pack.value = 1;
            b.copy(b.add_stream(0), operation::copy, result(r), result(0), block(bytes), 0).trigger = reduced;
        }
        for (int other = 0; other < ranks; ++other) b.target().deliveries.push_back(whole(other, bytes, 1, added));
        j.plans.push_back(b.finish());
        j.arrays.push_back(given_and_got(bytes));
    }
    return j;
}

job sum_by_chunks(int ranks) {
    constexpr std::int32_t chunks = 3;
    constexpr std::int64_t chunk = 2 * element, bytes = chunks * chunk;
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"sum by chunks", r, ranks};
        auto const input = b.add(buffer{.host = r, .ordinal = 0, .bytes = bytes});
        auto const stage = [&](int host) { return b.add(buffer{.host = host, .role = buffer_role::stage, .bytes = bytes}); };
        auto const filled = [&](int host) { return b.add(flag(host, host, 0, chunks)); };
        auto const drained = [&](int host) { return b.add(flag(host, 0, 1, chunks)); };
        auto const by_chunks = b.add(loop_strides{.src = {chunk}, .dst = {chunk}, .threshold = 1, .value = 1});
        auto const s = b.add_stream(-1);
        if (r == 0) {
            auto const result = b.add(buffer{.host = 0, .ordinal = 1, .bytes = bytes});
            b.copy(s, operation::copy, result, input, block(bytes));
            for (int other = 1; other < ranks; ++other) {
                b.emit(s, operation::loop).argument = chunks;
                auto& d = b.copy(s, operation::reduce, result, stage(other), block(chunk), other);
                d.argument = added;
                d.trigger = filled(other);
                d.signal = drained(other);
                d.threshold = d.value = 1 - chunks;
                d.strides = by_chunks;
                b.emit(s, operation::end_loop);
            }
            for (int other = 0; other < ranks; ++other) b.target().deliveries.push_back(whole(other, bytes, 1, added));
        } else {
            b.target().own_lines = 2;
            b.target().own_stage = bytes;
            b.emit(s, operation::loop).argument = chunks;
            auto& d = b.copy(s, operation::pack, stage(r), input, block(chunk), 0);
            d.trigger = drained(r); // of the same chunk of the epoch before
            d.threshold = 1 - 2 * chunks;
            d.signal = filled(r);
            d.value = 1 - chunks;
            d.strides = by_chunks;
            b.emit(s, operation::end_loop);
        }
        j.plans.push_back(b.finish());
        j.arrays.push_back(given_and_got(bytes));
    }
    return j;
}

} // namespace sode::internal::toy
