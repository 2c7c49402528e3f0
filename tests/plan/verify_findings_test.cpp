// SPDX-License-Identifier: Apache-2.0
// What verify() says of each kind of mistake: who, where, which bytes.
#include "plan/builder.hpp"
#include "plan/toy_plans.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;
using type = finding::type;

descriptor& find(plan& p, operation op, int nth = 0) {
    for (auto& d : p.descriptors)
        if (d.op == op && nth-- == 0) return d;
    throw std::out_of_range{"no such descriptor"};
}

/// The message of the finding of that kind at that rank; fails if there is none.
std::string message(toy::job const& j, type kind, int rank) {
    auto const all = verify(j.plans, j.arrays);
    for (auto const& f : all)
        if (f.kind == kind && f.rank == rank) return f.message;
    ADD_FAILURE() << "no finding " << to_string(kind) << " at rank " << rank << " among " << all.size();
    for (auto const& f : all) ADD_FAILURE() << to_string(f.kind) << ": " << f.message;
    return {};
}

TEST(finding, deadlock_names_who_waits_for_what) {
    auto j = toy::ring_staged(3);
    find(j.plans[1], operation::signal).op = operation::wait; // never published
    auto& d = find(j.plans[1], operation::wait);
    d.trigger = std::exchange(d.signal, 0U);
    auto const text = message(j, type::deadlock, 2);
    EXPECT_THAT(text, HasSubstr("rank 2, stream 1, descriptor 4 (unpack) waits forever in epoch 1"));
    EXPECT_THAT(text, HasSubstr("counter line 0 of rank 1 stays at 0, 1 is needed; rank 1 sets it"));
}

TEST(finding, race_names_both_sides_and_the_bytes) {
    auto j = toy::ring_pull(3);
    auto& credit = find(j.plans[0], operation::credit);
    credit.op = operation::wait;
    credit.trigger = find(j.plans[0], operation::wait).trigger;
    auto const text = message(j, type::race, 0); // rank 1 or 2 may still pull when rank 0's user writes again
    EXPECT_THAT(text, HasSubstr("race at array 0 of rank 0, bytes ["));
    EXPECT_THAT(text, HasSubstr("the user of rank 0, before epoch 2"));
    EXPECT_THAT(text, HasSubstr("(copy), in epoch 1, reads there"));
}

TEST(finding, missing_says_what_is_there_instead) {
    auto j = toy::ring_pull(3);
    find(j.plans[2], operation::copy).op = operation::signal;
    EXPECT_THAT(
        message(j, type::missing, 2),
        HasSubstr("array 0 of rank 2, bytes [0, 8) holds nothing after epoch 1 (byte 32 of array 0 of rank 1 as of epoch 1"));
}

TEST(finding, race_for_a_stage_that_is_read_too_early) {
    auto j = toy::ring_staged(2);
    for (auto& d : j.plans[0].descriptors)
        if (d.op == operation::unpack) d.threshold = -1;
    EXPECT_THAT(message(j, type::race, 0), HasSubstr("stage of rank 1"));
}

TEST(finding, wrong_source_says_whose_data_it_is) {
    auto j = toy::ring_pull(3);
    find(j.plans[0], operation::copy).src_offset = -toy::element;
    EXPECT_THAT(
        message(j, type::wrong_source, 0),
        HasSubstr("bytes [0, 8) holds byte 24 of array 0 of rank 2 as of epoch 1 after epoch 1 (byte 32 of array 0 of rank 2"));
}

TEST(finding, duplicate_for_an_array_written_twice) {
    auto j = toy::ring_pull(1);
    find(j.plans[0], operation::copy, 1) = find(j.plans[0], operation::copy, 0);
    EXPECT_THAT(message(j, type::duplicate, 0),
                HasSubstr("array 0 of rank 0, bytes [0, 8) (another copy of this epoch was there before)"));
}

TEST(finding, duplicate_for_a_stage_packed_twice) {
    auto j = toy::ring_staged(2);
    find(j.plans[0], operation::pack, 1) = find(j.plans[0], operation::pack, 0);
    EXPECT_THAT(message(j, type::duplicate, 0), HasSubstr("the stage of rank 0"));
}

TEST(finding, stray_write_into_an_array) {
    auto j = toy::ring_pull(2);
    j.plans[1].deliveries.pop_back();
    EXPECT_THAT(message(j, type::stray_write, 1), HasSubstr("array 0 of rank 1, bytes [40, 48) (no delivery puts anything there)"));
}

TEST(finding, uninitialised_where_nobody_wrote) {
    auto j = toy::ring_staged(2);
    find(j.plans[0], operation::pack).op = operation::wait;
    auto& d = find(j.plans[0], operation::wait);
    d.trigger = 1;
    d.threshold = -10; // at once
    EXPECT_THAT(message(j, type::uninitialised, 1), HasSubstr("the stage of rank 0, bytes [16, 24) (nobody has written there)"));
}

TEST(finding, gaps_between_packed_boxes_may_travel_but_not_arrive) {
    // Rank 0 packs two of its elements 16 bytes apart, copies both and the gap to its stage in one go, and rank 1 takes out `taken`
    // bytes.
    auto const with_gap = [](layout const& taken, layout const& target) {
        auto const array = contiguous(0, 3 * toy::element);
        toy::job j;
        for (int r = 0; r < 2; ++r) {
            plan_builder b{"gap", r, 2};
            auto const s = b.add_stream(1 - r);
            auto const ready = b.add(counter{.host = 0, .writer = 0, .index = 0}),
                       taken_out = b.add(counter{.host = 0, .writer = 1, .index = 1});
            auto const mine = b.add(buffer{.host = r, .bytes = array.bytes()});
            auto const stage = b.add(buffer{.host = 0, .role = buffer_role::stage, .bytes = 24});
            if (r == 0) {
                b.target().own_lines = 2;
                b.target().own_stage = b.target().own_scratch = 24;
                auto const scratch = b.add(buffer{.host = 0, .role = buffer_role::scratch, .bytes = 24});
                b.copy(s, operation::pack, scratch, mine, compile(contiguous(0, 8), contiguous(0, 8)));
                b.copy(s, operation::pack, scratch, mine, compile(contiguous(8, 8), contiguous(16, 8)));
                b.copy(s, operation::copy, stage, scratch, compile(contiguous(0, 24), contiguous(0, 24))).signal = ready;
                b.emit(s, operation::credit).trigger = taken_out;
            } else {
                auto& unpack = b.copy(s, operation::unpack, mine, stage, compile(taken, target), 0);
                unpack.trigger = ready;
                unpack.signal = taken_out;
                b.target().deliveries.push_back({0, 0, contiguous(0, 8), 0, contiguous(0, 8)});
                b.target().deliveries.push_back({0, 0, contiguous(8, 8), 0, contiguous(target.bytes() - 8, 8)});
            }
            j.plans.push_back(b.finish());
            j.arrays.push_back(
                {{.ordinal = 0, .bytes = array.bytes(), .buffered = false, .owned = r == 0 ? array : layout{}, .readable = array}});
        }
        return j;
    };
    auto const sound = with_gap({.offset = 0, .block = 8, .loops = {{2, 16}}, .list = {}}, contiguous(0, 16));
    auto const findings = verify(sound.plans, sound.arrays);
    EXPECT_TRUE(findings.empty()) << findings.front().message;
    EXPECT_THAT(message(with_gap(contiguous(0, 24), contiguous(0, 24)), type::uninitialised, 1),
                HasSubstr("the stage of rank 0, bytes [8, 16) (nobody has written there)"));
}

TEST(finding, bounds_of_buffers_and_of_accesses) {
    auto j = toy::ring_pull(2);
    find(j.plans[0], operation::copy).dst_offset = 1000;
    EXPECT_THAT(message(j, type::bounds, 0), HasSubstr("touches bytes [1000, 1008) of array 0 of rank 0 (the buffer has 48)"));

    j = toy::ring_staged(2);
    j.plans[1].own_stage = 24;
    EXPECT_THAT(message(j, type::bounds, 0), HasSubstr("larger than its host's stage"));

    j = toy::ring_pull(2);
    j.plans[1].own_lines = 1;
    EXPECT_THAT(message(j, type::bounds, 0), HasSubstr("its host has no such line"));

    auto const in_line = [](std::int64_t bytes, std::int64_t pairs) {
        auto all = toy::ring_in_line(2);
        for (auto& p : all.plans) {
            p.own_lines += pair_counters * pairs;
            p.own_pairs = pairs;
            for (auto& b : p.buffers)
                if (b.role == buffer_role::payload) b.bytes = bytes;
        }
        return all;
    };
    EXPECT_THAT(message(in_line(payload_bytes + 8, 0), type::bounds, 0), HasSubstr("(there are 56 bytes after its counter)"));
    j = in_line(payload_bytes, 1);
    EXPECT_TRUE(verify(j.plans, j.arrays).empty());
    // The lines of the edges become the first counters of a pair, which have no payload, then the last, which have little.
    for (auto [shift, bytes] : {std::pair{0U, 0}, std::pair{6U, 24}}) {
        j = in_line(bytes + 8, 1);
        for (auto& p : j.plans) {
            p.own_lines -= 4;
            for (auto& b : p.buffers)
                if (b.role == buffer_role::payload) b.ordinal += shift;
            for (auto& c : p.counters) c.index += c.writer >= 0 ? shift : 0U;
        }
        EXPECT_THAT(message(j, type::bounds, 0), HasSubstr(fmt::format("(there are {} bytes after its counter)", bytes)));
    }
}

TEST(finding, malformed_tables_and_streams) {
    auto j = toy::ring_pull(2);
    j.plans[0].descriptors.back().op = operation::signal;
    j.plans[0].descriptors.back().signal = 1;
    EXPECT_THAT(message(j, type::malformed, 0), HasSubstr("has no end"));

    j = toy::ring_pull(2);
    find(j.plans[1], operation::copy).program = 99;
    EXPECT_THAT(message(j, type::malformed, 1), HasSubstr("not in the table"));

    j = toy::ring_pull(2);
    find(j.plans[1], operation::wait).trigger = 99;
    EXPECT_THAT(message(j, type::malformed, 1), HasSubstr("not in the table"));

    j = toy::chain_pipeline(3);
    auto& copy = find(j.plans[1], operation::copy);
    copy = {.op = operation::loop, .argument = 1};
    EXPECT_THAT(message(j, type::malformed, 1), HasSubstr("comes inside a loop"));

    j = toy::ring_pull(3);
    find(j.plans[0], operation::copy).signal = find(j.plans[0], operation::wait).trigger; // rank 2's flag
    EXPECT_THAT(message(j, type::malformed, 0), HasSubstr("sets a flag of another writer (only rank 2 may set this flag)"));
}

TEST(finding, flags_grow_and_have_one_writer) {
    auto j = toy::ring_pull(2);
    find(j.plans[0], operation::signal).value = -1;
    EXPECT_THAT(message(j, type::malformed, 0), HasSubstr("gives 0 to counter line 0 of rank 0"));

    j = toy::ring_pull(3);
    for (auto& c : j.plans[0].counters)
        if (c.host == 1 && c.writer == 1) c.writer = 0;
    EXPECT_THAT(message(j, type::malformed, 1), HasSubstr("another counter on the same line has another value"));
}

TEST(finding, two_streams_may_not_set_the_same_flag_unordered) {
    auto const two_settings = [](bool ordered) {
        plan_builder b{"two settings", 0, 1};
        b.target().own_lines = 2;
        auto const shared = b.add(counter{.host = 0, .writer = 0, .index = 0, .step = 2});
        auto const order = b.add(counter{.host = 0, .writer = 0, .index = 1});
        auto const first = b.add_stream(-1), second = b.add_stream(-1);
        auto& one = b.emit(first, operation::signal);
        one.signal = shared;
        one.value = -1;
        b.emit(first, operation::signal).signal = order;
        auto& two = b.emit(second, operation::signal);
        two.signal = shared;
        two.trigger = ordered ? order : 0;
        return toy::job{{b.finish()}, {{}}};
    };
    auto const sound = two_settings(true);
    EXPECT_TRUE(verify(sound.plans, sound.arrays).empty());
    EXPECT_THAT(message(two_settings(false), type::malformed, 0), HasSubstr("must increase each time it is set"));
}

TEST(finding, plans_must_be_those_of_one_job) {
    auto j = toy::ring_pull(3);
    std::swap(j.plans[0], j.plans[1]);
    EXPECT_THAT(message(j, type::malformed, 0), HasSubstr("it claims to belong to another rank or job"));
    j = toy::ring_pull(3);
    j.plans[2].alternates = true;
    EXPECT_THAT(message(j, type::malformed, 2), HasSubstr("plan 0 has another value of alternates"));
}

TEST(finding, array_parity_is_not_epoch_parity) {
    auto j = toy::ring_buffered(3);
    for (auto& p : j.plans)
        for (auto& b : p.buffers) b.instances = parity::epoch;
    EXPECT_THAT(message(j, type::malformed, 0), HasSubstr("use parity array for buffered arrays only"));
}

TEST(finding, leaving_out_credits_needs_alternating_halves) {
    auto j = toy::ring_buffered(3);
    for (auto& p : j.plans) p.alternates = false;
    EXPECT_THAT(message(j, type::race, 0), HasSubstr("before epoch 2"));
}

TEST(finding, interior_written_early_must_not_be_what_neighbours_pull) {
    auto j = toy::ring_buffered(3);
    // Elements 2 and 3 of the four that a rank owns are pulled by nobody.
    for (auto& models : j.arrays) models[0].early = contiguous(2 * toy::element, 2 * toy::element);
    EXPECT_TRUE(verify(j.plans, j.arrays).empty());
    for (auto& models : j.arrays) models[0].early = contiguous(1 * toy::element, 2 * toy::element);
    EXPECT_THAT(message(j, type::race, 0), HasSubstr("during epoch 2, writes"));
}

TEST(finding, wrong_operator_says_both) {
    auto j = toy::allreduce(3);
    for (auto& d : j.plans[0].descriptors)
        if (d.op == operation::reduce) d.argument = combiner(reduction::max, element::f64);
    EXPECT_THAT(message(j, type::wrong_operator, 0),
                HasSubstr("holds 3 values by max of f64 after epoch 1 (3 values by sum of f64"));
}

TEST(finding, order_matters_to_operators_that_do_not_commute) {
    auto j = toy::scan(3);
    std::swap(j.plans[2].deliveries[0], j.plans[2].deliveries[1]);
    EXPECT_THAT(message(j, type::wrong_source, 2), HasSubstr("3 values by turn of 8 B"));
    // How they are grouped does not: no more does the order of operators that do.
    for (auto& p : j.plans) p.operators[0].commutes = true;
    EXPECT_TRUE(verify(j.plans, j.arrays).empty());
}

TEST(finding, equal_operators_have_equal_names) {
    auto j = toy::scan(2);
    auto& p = j.plans[1];
    p.operators.push_back({.name = "turn again", .element_bytes = 8, .commutes = false});
    find(p, operation::reduce).argument = user_combiners + 1;
    EXPECT_THAT(message(j, type::wrong_operator, 1), HasSubstr("2 values by turn again of 8 B"));
    std::swap(p.operators[0], p.operators[1]); // numbers are a rank's own affair
    for (auto& d : p.deliveries) d.combiner = user_combiners + 1;
    EXPECT_TRUE(verify(j.plans, j.arrays).empty());
}

TEST(finding, reductions_that_mean_nothing) {
    auto const with = [](auto change) {
        auto j = toy::scan(2);
        change(find(j.plans[1], operation::reduce), j.plans[1]);
        return message(j, type::malformed, 1);
    };
    EXPECT_THAT(with([](auto& d, auto&) { d.argument = combiner(reduction::bit_and, element::f64); }),
                HasSubstr("no operator and"));
    EXPECT_THAT(with([](auto& d, auto&) { d.argument = user_combiners + 1; }), HasSubstr("no operator and"));
    EXPECT_THAT(with([](auto& d, auto&) { d.operand = 9; }), HasSubstr("names an operand that is not in the table"));
    EXPECT_THAT(with([](auto&, auto& p) { p.operands[1].buffer = 99; }), HasSubstr("names an operand that is not in the table"));
    EXPECT_THAT(with([](auto&, auto& p) { p.operators[0].element_bytes = 3; }), HasSubstr("combines parts of elements"));
    EXPECT_THAT(with([](auto& d, auto&) { d.op = operation::copy; }), HasSubstr("has a first operand"));
    EXPECT_THAT(with([](auto& d, auto&) {
                    d.op = operation::negate;
                    d.operand = 0;
                    d.argument = static_cast<std::uint32_t>(element::boolean);
                }),
                HasSubstr("changes the sign of elements without a sign"));
}

TEST(finding, most_findings_is_respected) {
    auto j = toy::ring_pull(8);
    for (auto& p : j.plans) find(p, operation::signal).signal = 0;
    EXPECT_EQ(verify(j.plans, j.arrays, {.epochs = 3, .most_findings = 4}).size(), 4U);
}

// What only a change from one way to the other shows.
TEST(verify_findings, ways_leave_to_each_other_what_they_need) {
    // A stage of one slot, which is free when its reader has said so: in the epoch before, if that went by the stage, too.
    auto const make = [](bool both_ways_say_so) {
        toy::job j;
        for (int r : {0, 1}) {
            plan_builder b{"ways", r, 2};
            b.target().own_lines = 1;
            b.target().own_stage = r == 0 ? 8 : 0;
            auto const how = b.add(plan_choice{.key = 5, .ways = 2});
            auto const full = b.add(counter{.host = 0, .writer = 0, .index = 0}), empty = b.add(counter{.host = 1, .writer = 1});
            auto const array = b.add(buffer{.host = r, .bytes = 8}), theirs = b.add(buffer{.host = 0, .bytes = 8});
            auto const stage = b.add(buffer{.host = 0, .role = buffer_role::stage, .bytes = 8});
            auto const whole = compile(contiguous(0, 8), contiguous(0, 8));
            auto const by_stage = b.add_stream(1 - r, how, 0), by_pull = b.add_stream(1 - r, how, 1);
            if (r == 0) {
                auto& pack = b.copy(by_stage, operation::pack, stage, array, whole);
                pack.trigger = empty;
                pack.threshold = -1;
                pack.signal = full;
                b.emit(by_pull, operation::signal).signal = full;
                b.emit(by_pull, operation::credit).trigger = empty;
            } else {
                auto& unpack = b.copy(by_stage, operation::unpack, array, stage, whole);
                unpack.trigger = full;
                if (both_ways_say_so) unpack.signal = empty;
                auto& pull = b.copy(by_pull, operation::copy, array, theirs, whole);
                pull.trigger = full;
                pull.signal = empty;
                b.target().deliveries.push_back(toy::whole(0, 8));
            }
            j.arrays.push_back(toy::given(r == 0, 8));
            j.plans.push_back(b.finish());
        }
        return verify(j.plans, j.arrays);
    };
    EXPECT_TRUE(make(true).empty());
    auto const findings = make(false);
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().kind, finding::type::deadlock) << findings.front().message;
}

// Nor does a sequence of three show it, where epochs meet in every third slot.
TEST(verify_findings, ways_meet_in_slots_of_any_number) {
    for (std::uint16_t const slots : std::initializer_list<std::uint16_t>{2, 3, 6}) {
        toy::job j;
        for (int r : {0, 1}) {
            plan_builder b{"slots", r, 2};
            b.target().own_lines = r == 0 ? 2 : slots;
            b.target().own_stage = r == 0 ? 8 * slots : 0;
            auto const how = b.add(plan_choice{.key = 5, .ways = 2});
            auto const full = b.add(counter{.host = 0, .writer = 0, .index = 0}),
                       pulled = b.add(counter{.host = 0, .writer = 1, .index = 1});
            auto const empty = b.add(counter{.host = 1, .writer = 1, .instances = parity::epoch, .slots = slots});
            auto const array = b.add(buffer{.host = r, .bytes = 8}), theirs = b.add(buffer{.host = 0, .bytes = 8});
            auto const stage =
                b.add(buffer{.host = 0, .role = buffer_role::stage, .instances = parity::epoch, .slots = slots, .bytes = 8});
            auto const whole = compile(contiguous(0, 8), contiguous(0, 8));
            auto const by_stage = b.add_stream(1 - r, how, 0), by_pull = b.add_stream(1 - r, how, 1);
            if (r == 0) {
                auto& pack = b.copy(by_stage, operation::pack, stage, array, whole);
                pack.trigger = empty;
                pack.threshold = -slots;
                pack.signal = full;
                b.emit(by_pull, operation::signal).signal = full;
                b.emit(by_pull, operation::credit).trigger = pulled;
            } else {
                auto& unpack = b.copy(by_stage, operation::unpack, array, stage, whole);
                unpack.trigger = full;
                unpack.signal = empty;
                auto& pull = b.copy(by_pull, operation::copy, array, theirs, whole);
                pull.trigger = full;
                pull.signal = pulled; // and the slot stays as it was
                b.target().deliveries.push_back(toy::whole(0, 8));
            }
            j.arrays.push_back(toy::given(r == 0, 8));
            j.plans.push_back(b.finish());
        }
        auto const findings = verify(j.plans, j.arrays);
        ASSERT_FALSE(findings.empty()) << slots << " slots";
        EXPECT_EQ(findings.front().kind, finding::type::deadlock) << slots << " slots: " << findings.front().message;
    }
}

TEST(verify_findings, choices_are_sound) {
    auto j = toy::ring_two_ways(3);
    auto const kind = [&] {
        auto const found = verify(j.plans, j.arrays);
        return found.empty() ? std::string{} : found.front().message;
    };
    EXPECT_EQ(kind(), "");
    j.plans[1].choices.front().ways = 3;
    EXPECT_NE(kind().find("has 3 ways at rank 1 and 2 at another rank"), std::string::npos) << kind();
    for (auto& p : j.plans) p.choices.front().ways = 1;
    EXPECT_NE(kind().find("a choice of rank 0 has 1 ways"), std::string::npos) << kind();
    j = toy::ring_two_ways(3);
    j.plans[2].streams.back().way = 2;
    EXPECT_NE(kind().find("of rank 2 is way 2 of choice 1, which does not exist"), std::string::npos) << kind();
}

} // namespace
} // namespace sode::internal
