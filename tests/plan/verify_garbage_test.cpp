// SPDX-License-Identifier: Apache-2.0
// verify() must stand any contents of the tables: it is what looks at them before anybody relies on them.
#include "plan/toy_plans.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace sode::internal {
namespace {

class vandal {
public:
    explicit vandal(std::uint32_t seed) : random_(seed) {}

    void damage(plan& p) {
        switch (random_() % 11) {
        case 7: return change(pick(p.strides));
        case 8: return random_() % 2 ? spoil(pick(p.operands).buffer) : spoil(pick(p.operands).offset);
        case 9: return spoil(pick(p.operators).element_bytes);
        case 0: return change(pick(p.descriptors));
        case 1: return change(pick(p.buffers));
        case 2: return change(pick(p.counters));
        case 3: return change(pick(p.programs));
        case 4: return spoil(random_() % 2 ? pick(p.streams).first : p.descriptors.back().trigger);
        case 5: return change(pick(p.deliveries));
        case 10: return change(pick(p.streams));
        default: return random_() % 2 ? spoil(p.own_lines) : spoil(random_() % 2 ? p.own_stage : p.own_scratch);
        }
    }

private:
    template <class Entry> Entry& pick(std::vector<Entry>& table) {
        if (table.empty()) table.emplace_back();
        return table[random_() % table.size()];
    }
    template <class Number> void spoil(Number& n) {
        std::int64_t const odd[] = {-1,           0,         1,        2, 3, 7, 8, 64, 1000, 1LL << 31, 1LL << 47, (1LL << 62) - 1,
                                    -(1LL << 62), INT64_MAX, INT64_MIN};
        n = static_cast<Number>(odd[random_() % std::size(odd)]);
    }
    void change(descriptor& d) {
        switch (random_() % 16) {
        case 13: return spoil(d.operand);
        case 14: // a run takes as long as its loops
            if (d.op != operation::loop) d.argument = static_cast<std::uint32_t>(random_());
            return;
        case 0: d.op = static_cast<operation>(random_() % 14); return;
        case 2: return spoil(d.trigger);
        case 3: return spoil(d.threshold);
        case 4: return spoil(d.signal);
        case 5: return spoil(d.program);
        case 6: return spoil(d.value);
        case 7: return spoil(d.src);
        case 8: return spoil(d.dst);
        case 9: return spoil(d.src_offset);
        case 10: return spoil(d.dst_offset);
        case 12: return spoil(d.strides);
        case 11: d.argument = static_cast<std::uint32_t>(random_() % 100); return; // a run takes as long as its loops
        default: return spoil(d.peer);
        }
    }
    void change(stream& s) {
        switch (random_() % 4) {
        case 0: return spoil(s.first);
        case 1: return spoil(s.peer);
        case 2: return spoil(s.runs_on.number);
        default: s.runs_on.kind = static_cast<executor_kind>(random_() % 6);
        }
    }
    void change(loop_strides& s) {
        auto& side = random_() % 3 == 0 ? s.operand : random_() % 2 ? s.src : s.dst;
        switch (random_() % 6) {
        case 0: return spoil(side.bytes);
        case 1: return spoil(side.slots);
        case 2: return spoil(side.phase);
        case 3: return spoil(s.threshold);
        case 4: return spoil(s.value);
        default: return spoil(s.outer);
        }
    }
    void change(buffer& b) {
        switch (random_() % 8) {
        case 6: b.instances = parity::epoch; return spoil(b.slots);
        case 0: return spoil(b.host);
        case 1: b.role = static_cast<buffer_role>(random_() % 4); return;
        case 2: b.instances = static_cast<parity>(random_() % 3); return;
        case 3: return spoil(b.group);
        case 4: return spoil(b.ordinal);
        case 5: return spoil(b.offset);
        default: return spoil(b.bytes);
        }
    }
    void change(counter& c) {
        switch (random_() % 7) {
        case 5: c.instances = parity::epoch; return spoil(c.slots);
        case 0: return spoil(c.host);
        case 1: return spoil(c.writer);
        case 2: return spoil(c.index);
        case 3: c.kind = static_cast<counter_kind>(random_() % 2); return;
        case 4: c.instances = static_cast<parity>(random_() % 3); return;
        default: return spoil(c.step);
        }
    }
    void change(copy_program& p) {
        switch (random_() % 7) {
        case 6: p.encoding = static_cast<copy_encoding>(random_() % 9); return spoil(p.entries); // of a table that is not there
        case 0: p.loop_count = static_cast<std::uint8_t>(random_() % 20); return;
        case 1: return spoil(p.block);
        case 2: return spoil(p.src_offset);
        case 3: return spoil(p.bytes);
        case 4: return spoil(p.loops[0].count);
        default: p.twin = !p.twin; return spoil(p.twin_dst);
        }
    }
    void change(delivery& d) {
        switch (random_() % 6) {
        case 5: return spoil(d.combiner);
        case 0: return spoil(d.source_rank);
        case 1: return spoil(d.source_array);
        case 2: return spoil(d.target_array);
        case 3: d.target.offset = static_cast<index_t>(random_() % 64) - 8; return;
        default: d.source.block = static_cast<index_t>(random_() % 64); return;
        }
    }

    std::mt19937 random_;
};

TEST(verify, survives_any_contents_of_the_tables) {
    toy::job const sound[] = {toy::ring_pull(3),      toy::ring_in_line(2), toy::ring_buffered(3),   toy::conveyor(2),
                              toy::chain_pipeline(3), toy::allreduce(3),    toy::sum_by_chunks(3),   toy::carousel(2),
                              toy::couriers(2),       toy::scan(3),         toy::epochs_ahead(2, 3), toy::ring_put(3),
                              toy::parcels(2)};
    int found = 0;
    constexpr int rounds = 7000;
    for (int round = 0; round < rounds; ++round) {
        SCOPED_TRACE(round);
        auto j = sound[static_cast<std::size_t>(round) % std::size(sound)];
        std::vector<int> machines(round % 2 == 0 ? j.plans.size() : 0);
        std::iota(machines.begin(), machines.end(), 0);
        vandal{static_cast<std::uint32_t>(round)}.damage(j.plans[static_cast<std::size_t>(round) % j.plans.size()]);
        found += verify(j.plans, j.arrays, {.epochs = 3, .most_findings = 2, .machines = machines}).empty() ? 0 : 1;
    }
    EXPECT_GT(found, rounds / 2); // the rest writes what was there, or what does not matter
}

TEST(verify, refuses_epochs_it_cannot_tell_apart) {
    auto const j = toy::ring_pull(2);
    EXPECT_THROW(static_cast<void>(verify(j.plans, j.arrays, {.epochs = 0})), error);
    EXPECT_THROW(static_cast<void>(verify(j.plans, j.arrays, {.epochs = 64})), error);
    EXPECT_TRUE(verify(j.plans, j.arrays, {.epochs = 63}).empty());
}

} // namespace
} // namespace sode::internal
