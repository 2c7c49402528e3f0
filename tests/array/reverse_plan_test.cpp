// SPDX-License-Identifier: Apache-2.0
// The plans of reverse(), all ranks of a job at once, held against verify(); and whether verify() would notice a mistake in them.
#include "array/halo/reverse_plan.hpp"

#include "array/dry_exchange.hpp"
#include "support/all_ranks.hpp"
#include "support/found_mutations.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

all_ranks build(halo_spec const& halo) {
    std::vector<element> elements; // as large as those of the fields, or parts of them
    for (auto const& f : halo.fields) {
        auto const bytes = f.shape->element_bytes;
        elements.push_back(bytes % 8 == 0   ? element::f64
                           : bytes % 4 == 0 ? element::f32
                           : bytes % 2 == 0 ? element::f16
                                            : element::u8);
    }
    reverse_spec const spec{&halo, reduction::sum, elements};
    return {halo.ranks(), [&](int r) { return build_reverse(spec, r); }, [&](int r) { return reverse_models(spec, r); },
            halo.machines.list()};
}

void expect_sound(halo_spec const& halo, std::string const& label) {
    build(halo).expect_sound(label);
}

TEST(reverse_plan, random_exchanges_are_sound) {
    for (int ranks : {1, 2, 3, 4, 6, 8})
        for (int c = 0; c < 25 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(104729 * ranks + c)};
            way const* const forced[] = {nullptr, &ways::mpi, &ways::reference};
            auto const x = random_exchange(g, ranks, forced[c % 3]);
            expect_sound(x.spec, fmt::format("{} ranks, case {}", ranks, c));
        }
}

TEST(reverse_plan, cubes_are_sound) {
    for (bool buffered : {false, true}) {
        expect_sound(cube(27, {3, 3, 3}, buffered, nullptr).spec, "one machine");
        auto x = cube(27, {3, 3, 3}, buffered, nullptr);
        std::vector<int> machine_of;
        for (int r = 0; r < 27; ++r) machine_of.push_back(r / 5);
        x.spec.machines = machine_of;
        expect_sound(x.spec, "six machines");
    }
}

// Halos below only: a rank hears nothing from those who read its stage, unless they tell it.
TEST(reverse_plan, one_sided_halos_are_sound) {
    for (int ranks : {2, 3, 5}) {
        auto x = cube(ranks, {ranks}, false, nullptr, 2);
        x.spec.fields[0].upper = {};
        x.spec.periodic = {};
        expect_sound(x.spec, "not periodic");
        x.spec.periodic[0] = true;
        expect_sound(x.spec, "periodic");
    }
}

// Each delivery is the block's own value or a part of a halo that comes home.
TEST(reverse_plan, brings_all_that_the_exchange_brought) {
    auto const x = cube(27, {3, 3, 3}, false, nullptr);
    auto const p = build(x.spec).plans[13];
    std::int64_t brought = 0;
    for (auto const& d : p.deliveries)
        if (d.source_rank != 13) brought += d.target.bytes();
    EXPECT_EQ(brought, 8 * (6 * 6 * 6 - 4 * 4 * 4));
    // Stage: pack (the low and the high face of the strided dimension as one), signal, end; then 26 waits, 26 boxes, end.
    auto const reduces =
        std::count_if(p.descriptors.begin(), p.descriptors.end(), [](auto const& d) { return d.op == operation::reduce; });
    EXPECT_EQ(reduces, 26);
    EXPECT_EQ(p.notes.size(), 26U);
}

// A neighbour may still be pulling the block of a buffered array from an exchange before, until it says that it has packed.
TEST(reverse_plan, writes_nothing_before_all_have_packed) {
    for (int machines : {1, 2}) {
        auto x = cube(8, {2, 2, 2}, true, nullptr);
        std::vector<int> machine_of;
        for (int r = 0; r < 8; ++r) machine_of.push_back(r % machines);
        x.spec.machines = machine_of;
        for (auto const& p : build(x.spec).plans) {
            auto const is = [](operation op) { return [op](descriptor const& d) { return d.op == op; }; };
            auto const begin = p.descriptors.begin() + p.streams[1].first;
            auto const end = std::find_if(begin, p.descriptors.end(), is(operation::end));
            auto const first = std::find_if(begin, end, is(operation::reduce));
            ASSERT_NE(first, end);
            EXPECT_EQ(std::count_if(begin, first, is(operation::wait)), 7);
            EXPECT_EQ(std::count_if(first, end, is(operation::wait)), 0);
        }
    }
}

bool moves(descriptor const& d) {
    return moves_data(d.op) && d.trigger == 0 && d.signal == 0;
}

std::vector<harmless> known_harmless() {
    using enum mutation_kind;
    auto const is = [](operation a, operation b) { return [a, b](spot const& s) { return s.here().op == a && s.next().op == b; }; };
    return {{repeat, "what has been waited for need not be waited for again",
             [](spot const& s) { return s.here().op == operation::wait || s.here().op == operation::credit; }},
            {swap, "a sum of the same numbers, and boxes that do not overlap",
             [](spot const& s) { return moves(s.here()) && moves(s.next()) && s.here().op == s.next().op; }},
            {swap, "both are waited for", is(operation::wait, operation::wait)},
            {swap, "it is for an exchange before this one that nothing is written until all have come (see its own test)",
             [=](spot const& s) { return is(operation::wait, operation::reduce)(s) && s.here().peer != s.next().peer; }},
            {swap, "messages of different ranks, or in different directions, begin in any order",
             [](spot const& s) { return is_message(s.here().op) && is_message(s.next().op); }}};
}

void expect_all_found(halo_spec const& spec, std::vector<std::size_t> const& ranks, std::vector<harmless> const& more = {}) {
    expect_mutations_found(build(spec), known_harmless(), more, ranks);
}

TEST(reverse_plan, every_mistake_is_found) {
    expect_all_found(cube(3, {3}, false, nullptr, 2).spec, {});
    expect_all_found(cube(4, {2, 2}, true, nullptr).spec, {0});
}
TEST(reverse_plan, every_mistake_in_a_one_sided_halo_is_found) {
    auto x = cube(3, {3}, false, nullptr, 2);
    x.spec.fields[0].upper = {};
    x.spec.periodic = {};
    expect_all_found(x.spec, {},
                     {{mutation_kind::threshold_up, "the stage is filled an epoch later than it could be; no cycle closes",
                       [](spot const& s) { return s.here().op == operation::credit; }}});
}
TEST(reverse_plan, every_mistake_in_a_message_is_found) {
    auto x = cube(4, {2, 2}, false, nullptr);
    x.spec.machines = std::vector<int>{0, 0, 1, 1};
    expect_all_found(x.spec, {0, 1},
                     {{mutation_kind::swap, "a message that begins a step later: that step does not touch its place",
                       [](spot const& s) { return is_message(s.here().op) && !is_message(s.next().op); }}});
}

} // namespace
} // namespace sode::internal::testing
