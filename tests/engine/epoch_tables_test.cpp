// SPDX-License-Identifier: Apache-2.0
// Epochs go through as many slots as a buffer or counter has, whatever the others have; arrays have any number of parities; and
// the tables for that stay few.
#include "engine/epoch_tables.hpp"

#include "engine/one_rank.hpp"
#include "plan/builder.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace sode::internal {
namespace {

class epoch_tables_test : public ::testing::Test, protected testing::one_rank {
protected:
    epoch_tables_test() : one_rank(1 << 16) {}

    static copy_program word() { return compile(contiguous(0, 8), contiguous(0, 8)); }
    std::uint64_t& number(std::size_t i) { return reinterpret_cast<std::uint64_t*>(array_)[i]; }
};

/// Copies the array's first word to a stage of each number of slots.
plan into_slots(std::initializer_list<std::uint16_t> all) {
    plan_builder b{"slots", 0, 1};
    auto const s = b.add_stream(-1);
    auto const array = b.add(buffer{.host = 0, .bytes = 8});
    for (auto const slots : all) {
        auto const stage = b.add(buffer{.host = 0,
                                        .role = buffer_role::stage,
                                        .instances = parity::epoch,
                                        .slots = slots,
                                        .offset = b.target().own_stage,
                                        .bytes = 8});
        b.target().own_stage += 8 * slots;
        auto const flag = b.add(counter{.host = 0,
                                        .writer = 0,
                                        .index = static_cast<std::uint32_t>(b.target().own_lines),
                                        .instances = parity::epoch,
                                        .slots = slots});
        b.target().own_lines += slots;
        b.copy(s, operation::pack, stage, array, compile(contiguous(0, 8), contiguous(0, 8))).signal = flag;
        b.emit(s, operation::wait).trigger = flag;
    }
    return b.finish();
}

TEST_F(epoch_tables_test, each_epoch_has_its_slot) {
    std::initializer_list<std::uint16_t> const all = {1, 2, 3,
                                                      4, 5, 7}; // 420 epochs until all come again: more than there are tables
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{into_slots(all), around(), {.arrays = arrays, .fingerprint = 1}};
    for (std::uint64_t epoch = 1; epoch <= 1000; ++epoch) {
        number(0) = epoch * 3;
        run.start();
        run.wait();
        std::size_t which = 0;
        for (std::uint64_t const slots : all) {
            ++which;                                                             // buffer 0 is the array, counter 0 is none
            for (std::uint64_t back = 0; back < slots && back < epoch; ++back) { // the last ones are all there
                auto const e = epoch - back;
                auto const slot = static_cast<std::uint32_t>(e % slots);
                std::uint64_t held = 0;
                std::memcpy(&held, run.places().buffer(which, slot), 8);
                ASSERT_EQ(held, e * 3) << slots << " slots, epoch " << epoch;
                ASSERT_EQ(run.places().counter(which, slot)->load(), e) << slots << " slots, epoch " << epoch;
            }
        }
    }
}

TEST_F(epoch_tables_test, there_is_a_table_for_what_has_occurred_and_not_for_more) {
    bound_array const arrays[] = {{{array_, nullptr}}};
    auto const known = [&](std::initializer_list<std::uint16_t> slots, std::uint64_t epochs) {
        auto const p = into_slots(slots);
        binding const places{p, around(), arrays, 1};
        epoch_tables tables{p, places};
        for (std::uint64_t e = 1; e <= epochs; ++e) {
            auto const t = tables.of(e, {});
            for (std::size_t k = 0; k < p.descriptors.size(); ++k) {
                auto const& d = p.descriptors[k];
                auto const slot_in = [&](auto const& entry) { return static_cast<std::uint32_t>(e % entry.slots); };
                if (d.op == operation::pack) {
                    EXPECT_EQ(t.steps[k].target, places.buffer(d.dst, slot_in(p.buffers[d.dst])));
                }
                EXPECT_EQ(t.steps[k].trigger, d.trigger == 0 ? nullptr : places.counter(d.trigger, slot_in(p.counters[d.trigger])));
            }
        }
        return tables.known();
    };
    EXPECT_EQ(known({}, 9), 1U);
    EXPECT_EQ(known({1}, 9), 1U);
    EXPECT_EQ(known({2}, 1), 1U);
    EXPECT_EQ(known({2}, 9), 2U);
    EXPECT_EQ(known({2, 3, 6}, 99), 6U);
    EXPECT_EQ(known({5, 7}, 99), epoch_tables::most_tables);
    EXPECT_EQ(known({251, 241, 239, 233, 229}, 40), epoch_tables::most_tables); // they do not come again
}

TEST_F(epoch_tables_test, arrays_have_any_number_of_parities) {
    for (std::uint32_t const groups : {1U, 6U, 7U, 64U, 65U, 130U}) {
        plan_builder b{"many halves", 0, 1};
        b.target().groups = static_cast<std::int32_t>(groups);
        auto const s = b.add_stream(-1);
        auto const result = b.add(buffer{.host = 0, .ordinal = 0, .bytes = 8 * groups});
        std::vector<bound_array> arrays{{{array_, nullptr}}};
        std::vector<int> halves(groups, 0);
        std::vector<int const*> told;
        for (std::uint32_t g = 0; g < groups; ++g) {
            auto const from = b.add(buffer{.host = 0, .instances = parity::array, .group = g, .ordinal = g + 1, .bytes = 8});
            b.copy(s, operation::copy, result, from, word()).dst_offset = 8 * g;
            auto* const both = array_ + 8 * (1000 + 2 * g);
            arrays.push_back({{both, both + 8}});
            number(1000 + 2 * g) = 2 * g + 5;
            number(1000 + 2 * g + 1) = 2 * g + 6;
            told.push_back(&halves[g]);
        }
        auto const p = b.finish();
        prepared run{p, around(), {.arrays = arrays, .fingerprint = 1, .halves = told}};
        std::mt19937 random{groups};
        for (int epoch = 1; epoch <= 100; ++epoch) {
            for (auto& h : halves) h = static_cast<int>(random() & 1U);
            if (epoch % 3 == 0) halves.assign(groups, epoch & 1); // that comes again
            run.start();
            run.wait();
            for (std::uint32_t g = 0; g < groups; ++g)
                ASSERT_EQ(number(g), 2 * g + 5 + static_cast<unsigned>(halves[g])) << groups << " groups, group " << g;
        }
    }
}

TEST_F(epoch_tables_test, no_slot_is_no_place) {
    bound_array const arrays[] = {{{array_, nullptr}}};
    EXPECT_THROW(prepared(into_slots({0}), around(), plan_terms{.arrays = arrays, .fingerprint = 1}), error);
}

} // namespace
} // namespace sode::internal
