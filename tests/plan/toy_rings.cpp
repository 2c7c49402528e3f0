// SPDX-License-Identifier: Apache-2.0
#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

namespace sode::internal::toy {
namespace {

constexpr std::int64_t owned_elements = 4;

int wrapped(int rank, int ranks) {
    return ((rank % ranks) + ranks) % ranks;
}

/// The ring's array: `reach` halo elements, the owned ones, `reach` halo elements.
struct ring {
    int ranks = 1;
    int reach = 1;
    bool buffered = false;

    [[nodiscard]] std::int64_t bytes() const { return (2 * reach + owned_elements) * element; }
    [[nodiscard]] buffer array(int rank) const {
        return {.host = rank, .instances = buffered ? parity::array : parity::none, .bytes = bytes()};
    }
    [[nodiscard]] int neighbour(int rank, int direction) const { return wrapped(rank + direction, ranks); }
    /// The halo element that `direction` fills, and the element that it comes from.
    [[nodiscard]] std::int64_t halo(int direction) const {
        return element * (direction < 0 ? reach + direction : reach + owned_elements + direction - 1);
    }
    [[nodiscard]] std::int64_t edge(int direction) const { return element * (reach + (direction < 0 ? owned_elements - 1 : 0)); }
    [[nodiscard]] std::vector<int> directions() const {
        std::vector<int> all;
        for (int d = 1; d <= reach; ++d) all.insert(all.end(), {-d, d});
        return all;
    }
    [[nodiscard]] array_model model() const {
        return {.ordinal = 0,
                .bytes = bytes(),
                .buffered = buffered,
                .owned = contiguous(reach * element, owned_elements * element),
                .readable = contiguous(0, bytes())};
    }
    void deliver(plan& p) const {
        for (int d : directions())
            p.deliveries.push_back({.source_rank = neighbour(p.rank, d),
                                    .source_array = 0,
                                    .source = contiguous(edge(d), element),
                                    .target_array = 0,
                                    .target = contiguous(halo(d), element)});
    }
    /// `to_offset` and `from_offset` in the program, so that the descriptor's own offsets are 0.
    [[nodiscard]] static copy_program one(std::int64_t from_offset, std::int64_t to_offset) {
        return compile(contiguous(from_offset, element), contiguous(to_offset, element));
    }
    void copy_own(plan_builder& b, std::uint32_t stream, int rank, int d) const {
        auto const own = b.add(array(rank));
        b.copy(stream, operation::copy, own, own, one(edge(d), halo(d)));
    }
};

counter flag(int host, int writer, std::uint32_t index) {
    return {.host = host, .writer = writer, .index = index};
}

template <class Make> job make_job(ring const& shape, Make make) {
    job j;
    for (int r = 0; r < shape.ranks; ++r) {
        plan_builder b{"toy", r, shape.ranks};
        shape.deliver(b.target());
        j.arrays.push_back({shape.model()});
        make(b, r, j.arrays.back());
        j.plans.push_back(b.finish());
    }
    return j;
}

} // namespace

job ring_pull(int ranks, int reach) {
    ring const shape{ranks, reach, false};
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        auto const local = b.add_stream(-1);
        b.target().own_lines = 1 + 2 * reach; // ready, then an acknowledgement for each direction
        if (ranks > 1) b.emit(local, operation::signal).signal = b.add(flag(r, r, 0));
        std::uint32_t ack = 0;
        for (int d : shape.directions()) {
            ++ack;
            int const source = shape.neighbour(r, d), reader = shape.neighbour(r, -d);
            if (source == r) {
                shape.copy_own(b, local, r, d);
                continue;
            }
            auto const s = b.add_stream(source);
            b.emit(s, operation::wait).trigger = b.add(flag(source, source, 0));
            auto& copy = b.copy(s, operation::copy, b.add(shape.array(r)), b.add(shape.array(source)),
                                ring::one(shape.edge(d), shape.halo(d)), source);
            copy.signal = b.add(flag(source, r, ack));
            b.emit(s, operation::credit).trigger = b.add(flag(r, reader, ack));
        }
    });
}

job ring_put(int ranks) {
    ring const shape{ranks, 1, false};
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        if (ranks == 1) {
            auto const local = b.add_stream(-1);
            for (int d : {-1, 1}) shape.copy_own(b, local, r, d);
            return;
        }
        b.target().own_lines = 4; // by direction: the halo is here, and that of the reader may be written
        auto const own = b.add(shape.array(r));
        auto const nothing = [] { return compile(contiguous(0, 0), contiguous(0, 0)); };
        auto const whole = [] { return compile(contiguous(0, element), contiguous(0, element)); };
        for (std::uint32_t k : {0U, 1U}) {
            int const d = k == 0 ? -1 : 1;
            int const source = shape.neighbour(r, d), reader = shape.neighbour(r, -d);
            auto const there = b.add(shape.array(reader));
            auto const ready = b.add(flag(r, reader, 2 + k)), here = b.add(flag(r, source, k));
            auto const end = [&](std::uint32_t stream, operation op, std::uint32_t dst, std::int64_t to, std::int64_t from,
                                 int peer, std::uint32_t signal, std::uint32_t number, copy_program what) -> descriptor& {
                auto& e = b.copy(stream, op, dst, own, std::move(what), peer);
                e.src_offset = from;
                e.dst_offset = to;
                e.signal = signal;
                e.argument = number;
                return e;
            };
            auto const gives = b.add_stream(reader), takes = b.add_stream(source);
            end(gives, operation::landing, own, 0, 0, reader, ready, 2 + k, nothing());
            end(gives, operation::put, there, shape.halo(d), shape.edge(d), reader, b.add(flag(reader, r, k)), k, whole()).trigger =
                ready;
            end(takes, operation::landing, own, shape.halo(d), shape.halo(d), source, here, k, whole());
            end(takes, operation::put, b.add(shape.array(source)), 0, 0, source, b.add(flag(source, r, 2 + k)), 2 + k, nothing());
            b.emit(takes, operation::wait).trigger = here;
        }
    });
}

job ring_staged(int ranks) {
    ring const shape{ranks, 1, false};
    auto const stage = [](int rank) {
        return buffer{.host = rank, .role = buffer_role::stage, .instances = parity::epoch, .bytes = 2 * element};
    };
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        auto const local = b.add_stream(-1);
        b.target().own_lines = 1;
        b.target().own_stage = 4 * element;
        for (int d : {-1, 1}) {
            int const source = shape.neighbour(r, d);
            if (source == r) {
                shape.copy_own(b, local, r, d);
                continue;
            }
            // Slot 0 holds the last element, which goes to the right (direction -1 as its reader sees it).
            std::int64_t const slot = d < 0 ? 0 : element;
            b.copy(local, operation::pack, b.add(stage(r)), b.add(shape.array(r)), ring::one(shape.edge(d), slot));
            auto const s = b.add_stream(source);
            b.copy(s, operation::unpack, b.add(shape.array(r)), b.add(stage(source)), ring::one(slot, shape.halo(d)), source)
                .trigger = b.add(flag(source, source, 0));
        }
        if (ranks > 1) b.emit(local, operation::signal).signal = b.add(flag(r, r, 0));
    });
}

job ring_two_ways(int ranks) {
    ring const shape{ranks, 1, false};
    auto const stage = [](int rank) {
        return buffer{.host = rank, .role = buffer_role::stage, .instances = parity::epoch, .bytes = 2 * element};
    };
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        constexpr std::uint8_t staged = 0, pulled = 1;
        auto const local = b.add_stream(-1);
        if (ranks == 1) {
            for (int d : {-1, 1}) shape.copy_own(b, local, r, d);
            return;
        }
        auto const how = b.add(plan_choice{.key = 77, .ways = 2});
        auto const own = b.add(shape.array(r));
        b.target().own_lines = 3; // ready, then an acknowledgement for each direction
        b.target().own_stage = 4 * element;
        auto const packs = b.add_stream(-1, how, staged), offers = b.add_stream(-1, how, pulled);
        b.emit(offers, operation::signal).signal = b.add(flag(r, r, 0));
        std::uint32_t ack = 0;
        for (int d : {-1, 1}) {
            ++ack;
            int const source = shape.neighbour(r, d), reader = shape.neighbour(r, -d);
            auto const ready = b.add(flag(source, source, 0));
            std::int64_t const slot = d < 0 ? 0 : element;
            b.copy(packs, operation::pack, b.add(stage(r)), own, ring::one(shape.edge(d), slot));
            auto const unpacks = b.add_stream(source, how, staged);
            b.copy(unpacks, operation::unpack, own, b.add(stage(source)), ring::one(slot, shape.halo(d)), source).trigger = ready;

            auto const pulls = b.add_stream(source, how, pulled);
            auto& copy =
                b.copy(pulls, operation::copy, own, b.add(shape.array(source)), ring::one(shape.edge(d), shape.halo(d)), source);
            copy.trigger = ready;
            copy.signal = b.add(flag(source, r, ack));
            b.emit(pulls, operation::credit).trigger = b.add(flag(r, reader, ack));
        }
        b.emit(packs, operation::signal).signal = b.add(flag(r, r, 0));
    });
}

job ring_in_line(int ranks) {
    ring const shape{ranks, 1, false};
    auto const line = [](int d) { return d < 0 ? 0U : 2U; };
    auto const payload = [&](int rank, int d) {
        return buffer{.host = rank, .role = buffer_role::payload, .instances = parity::epoch, .ordinal = line(d), .bytes = element};
    };
    auto const its_flag = [&](int rank, int d) {
        auto c = flag(rank, rank, line(d));
        c.instances = parity::epoch;
        return c;
    };
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        auto const local = b.add_stream(-1);
        b.target().own_lines = 4;
        for (int d : {-1, 1}) {
            int const source = shape.neighbour(r, d);
            if (source == r) {
                shape.copy_own(b, local, r, d);
                continue;
            }
            b.copy(local, operation::inline_put, b.add(payload(r, d)), b.add(shape.array(r)), ring::one(shape.edge(d), 0),
                   shape.neighbour(r, -d))
                .signal = b.add(its_flag(r, d));
            auto const s = b.add_stream(source);
            b.copy(s, operation::inline_get, b.add(shape.array(r)), b.add(payload(source, d)), ring::one(0, shape.halo(d)), source)
                .trigger = b.add(its_flag(source, d));
        }
    });
}

job ring_buffered(int ranks) {
    ring const shape{ranks, 1, true};
    return make_job(shape, [&](plan_builder& b, int r, auto&) {
        auto const local = b.add_stream(-1);
        b.target().own_lines = 1;
        b.target().groups = 1;
        b.target().alternates = true;
        if (ranks > 1) b.emit(local, operation::signal).signal = b.add(flag(r, r, 0));
        for (int d : {-1, 1}) {
            int const source = shape.neighbour(r, d);
            if (source == r) {
                shape.copy_own(b, local, r, d);
                continue;
            }
            b.copy(b.add_stream(source), operation::copy, b.add(shape.array(r)), b.add(shape.array(source)),
                   ring::one(shape.edge(d), shape.halo(d)), source)
                .trigger = b.add(flag(source, source, 0));
        }
    });
}

job ring_joined(int ranks) {
    ring const shape{ranks, 1, false};
    auto const second = [](int rank) { return buffer{.host = rank, .ordinal = 1, .bytes = 2 * element}; };
    return make_job(shape, [&](plan_builder& b, int r, auto& arrays) {
        arrays.push_back(
            {.ordinal = 1, .bytes = 2 * element, .buffered = false, .owned = {}, .readable = contiguous(0, 2 * element)});
        auto const local = b.add_stream(-1);
        auto const join = b.add_stream(-1);
        b.target().own_lines = 3;
        auto const ready = b.add(flag(r, r, 0)), done = b.add(flag(r, r, 1));
        auto const pulled = b.add(counter{.host = r, .writer = -1, .index = 2, .kind = counter_kind::sum, .step = 2});
        if (ranks > 1) b.emit(local, operation::signal).signal = ready;
        for (int d : {-1, 1}) {
            int const source = shape.neighbour(r, d);
            auto const s = b.add_stream(source == r ? -1 : source);
            if (source != r) b.emit(s, operation::wait).trigger = b.add(flag(source, source, 0));
            auto& copy = b.copy(s, operation::copy, b.add(shape.array(r)), b.add(shape.array(source)),
                                ring::one(shape.edge(d), shape.halo(d)), source == r ? -1 : source);
            copy.signal = pulled;
            copy.value = 1;
            if (source != r) b.emit(s, operation::credit).trigger = b.add(flag(source, source, 1));
            b.target().deliveries.push_back({.source_rank = source,
                                             .source_array = 0,
                                             .source = contiguous(shape.edge(d), element),
                                             .target_array = 1,
                                             .target = contiguous(d < 0 ? 0 : element, element)});
        }
        b.emit(join, operation::wait).trigger = pulled;
        b.copy(join, operation::copy, b.add(second(r)), b.add(shape.array(r)), ring::one(shape.halo(-1), 0));
        b.copy(join, operation::copy, b.add(second(r)), b.add(shape.array(r)), ring::one(shape.halo(1), element));
        if (ranks > 1) b.emit(join, operation::signal).signal = done;
    });
}

} // namespace sode::internal::toy
