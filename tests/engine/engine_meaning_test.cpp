// SPDX-License-Identifier: Apache-2.0
// What the inline engine does with a plan is what the definitions of its descriptors say, byte for byte: on random plans with loops
// in loops, places that go round, copies in every encoding, reductions, changes of sign, calls, messages and puts, parts of which
// go one way or another; and it refuses what it could not do.
#include "engine/combine.hpp"

#include "engine/loopback.hpp"
#include "engine/naive_interpreter.hpp"
#include "engine/one_rank.hpp"
#include "engine/triggered_engines.hpp"
#include "plan/builder.hpp"
#include "support/cases.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

using testing::naive_interpreter;
using testing::random_plan;

class engine_meaning_test : public ::testing::Test, protected testing::one_rank {
protected:
    engine_meaning_test() : one_rank(random_plan::room, std::make_unique<testing::loopback_bootstrap>()) {}

    // By engines of that kind, as far as they can; null: in the caller's own time.
    void compare_random_plans(engine_kind const* engines);
};

TEST_F(engine_meaning_test, random_plans_do_what_their_descriptors_say) {
    compare_random_plans(nullptr);
}

// Streams with messages and calls stay with the rank, the others are queues: of two interfaces, as a plan has no wishes of its own.
TEST_F(engine_meaning_test, network_interfaces_do_the_same) {
    triggered_engines const interfaces{waiting_, 2, {}};
    compare_random_plans(&interfaces);
    std::uint64_t branches = 0, refills = 0, assists = 0;
    for (std::size_t n = 0; n < interfaces.interfaces(); ++n) {
        auto const c = interfaces.counts(n);
        EXPECT_GT(c.issued, 0U) << "interface " << n;
        branches += c.branches;
        refills += c.refills;
        assists += c.assists;
    }
    EXPECT_GT(branches, 0U);
    EXPECT_GT(refills, 0U);
    EXPECT_GT(assists, 0U);
}

void engine_meaning_test::compare_random_plans(engine_kind const* engines) {
    int lists = 0, in_loops = 0, rings = 0, messages = 0, puts = 0, operands = 0, choices = 0;
    auto const mix = [](std::byte* target, std::byte const* first, std::byte const* second, std::size_t elements) {
        for (std::size_t i = 0; i < 8 * elements; i += 8) random_plan::combine(target + i, first + i, second + i);
    };
    std::size_t nested = 0;
    std::array<int, random_plan::most_slots + 1> slots{};
    int const cases = testing::random_cases(200);
    for (int seed = 1; seed <= cases; ++seed) {
        random_plan r{static_cast<std::uint64_t>(seed)};
        for (std::size_t s = 0; s < r.steps.streams.size(); ++s) r.steps.streams[s].nic = static_cast<std::uint8_t>(s);
        auto terms = around();
        terms.engines = engines;
        lists += r.lists;
        in_loops += r.in_loops;
        rings += r.rings;
        operands += r.operands;
        messages += r.messages;
        puts += r.puts;
        nested = std::max(nested, r.nested);
        std::vector<plan_calls::function> functions;
        for (std::size_t k = 0; k < random_plan::calls; ++k)
            functions.emplace_back([k](std::byte* at) { random_plan::call(k, at); });
        bound_array const arrays[] = {{{array_, nullptr}}};
        prepared run{r.steps, terms, {.arrays = arrays, .fingerprint = 1, .calls = std::move(functions), .operators = {mix}}};

        std::mt19937_64 random{static_cast<std::uint64_t>(seed)};
        naive_interpreter said{r};
        auto const for_each_memory = [&](auto f) {
            for (std::size_t b = 0; b < said.memory.size(); ++b)
                for (std::size_t i = 0; i < said.memory[b].size() && r.steps.buffers[b].host == 0; ++i)
                    f(said.memory[b][i], run.places().buffer(b, static_cast<std::uint32_t>(i)), b);
        };
        for_each_memory([&](auto& theirs, std::byte* ours, std::size_t) {
            for (auto& byte : theirs) byte = static_cast<std::byte>(random() >> 40U);
            std::copy(theirs.begin(), theirs.end(), ours);
        });
        for (std::size_t k = 0; k < slots.size(); ++k) slots[k] += r.slots[k];
        for (int epoch = 1; epoch <= random_plan::most_slots + 2; ++epoch) {
            std::vector<std::uint8_t> ways;
            for (auto const& c : r.steps.choices) {
                ways.push_back(static_cast<std::uint8_t>(random() % c.ways));
                run.take_way(static_cast<std::uint32_t>(ways.size()), ways.back());
            }
            choices += static_cast<int>(ways.size());
            run.start();
            run.wait();
            ASSERT_TRUE(said.run(ways)) << "plan " << seed << " cannot come to an end";
            for_each_memory([&](auto const& theirs, std::byte const* ours, std::size_t buffer) {
                EXPECT_TRUE(std::equal(theirs.begin(), theirs.end(), ours))
                    << "plan " << seed << ", epoch " << epoch << ", buffer " << buffer;
            });
            if (HasFailure()) return;
        }
    }
    std::printf("%d random plans\n", cases);
    EXPECT_GT(choices, cases);
    EXPECT_GT(lists, cases);
    EXPECT_GT(in_loops, cases);
    EXPECT_GT(rings, cases);
    EXPECT_GT(operands, cases / 2);
    EXPECT_GT(messages, cases / 4);
    EXPECT_GT(puts, cases / 10);
    EXPECT_EQ(nested, random_plan::most_nested);
    for (std::size_t k = 1; k < slots.size(); ++k) EXPECT_GT(slots[k], cases / 4) << k << " slots";
}

// However often a loop runs, it keeps one message for each of its places.
TEST_F(engine_meaning_test, a_loop_keeps_as_many_messages_as_it_has_places) {
    plan_builder b{"messages", 0, 1};
    b.target().own_lines = 2;
    constexpr std::int32_t times = 100, slots = 3;
    auto const s = b.add_stream(-1);
    auto const array = b.add(buffer{.host = 0, .bytes = 4096});
    auto const by = b.add(loop_strides{.src = {8, slots}, .dst = {8, slots}, .threshold = 1, .value = 1});
    b.emit(s, operation::loop).argument = times;
    for (auto const op : {operation::receive, operation::send}) {
        auto& d = b.copy(s, op, array, array, compile(contiguous(0, 8), contiguous(0, 8)), 0);
        d.src_offset = d.dst_offset = op == operation::send ? 64 : 0;
        d.signal = d.trigger = b.add(counter{.host = 0, .writer = 0, .index = op == operation::send ? 0U : 1U, .step = times});
        d.threshold = 1 - times - slots;
        d.value = 1 - times;
        d.strides = by;
    }
    b.emit(s, operation::end_loop);
    for (std::uint32_t c : {1U, 2U}) b.emit(s, operation::wait).trigger = c;
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1}};
    for (int epoch = 0; epoch < 3; ++epoch) {
        run.start();
        run.wait();
    }
    EXPECT_EQ(static_cast<testing::loopback_bootstrap&>(*meets_).made, 2U * slots);
}

// Each of any number of messages has its own tag, also beside another plan that is under way.
TEST_F(engine_meaning_test, a_plan_may_have_any_number_of_messages) {
    constexpr std::uint32_t all = 1000; // received in another order than they are sent
    auto const make = [](std::int64_t at) {
        plan_builder b{"many messages", 0, 1};
        b.target().own_lines = 2;
        auto const array = b.add(buffer{.host = 0, .bytes = random_plan::room});
        auto const byte = compile(contiguous(0, 1), contiguous(0, 1));
        auto const sending = b.add_stream(-1), receiving = b.add_stream(-1);
        for (std::uint32_t i = 0; i < 2 * all; ++i) {
            bool const sends = i < all;
            auto const n = sends ? i : 2 * all - 1 - i;
            auto& d = b.copy(sends ? sending : receiving, sends ? operation::send : operation::receive, array, array, byte, 0);
            d.src_offset = d.dst_offset = at + n + (sends ? 0 : all);
            d.argument = n;
            d.signal = b.add(counter{.host = 0, .writer = -1, .index = sends ? 0U : 1U, .kind = counter_kind::sum, .step = all});
            d.value = 1;
        }
        b.emit(sending, operation::wait).trigger = 1;
        b.emit(receiving, operation::wait).trigger = 2;
        return b.finish();
    };
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared first{make(0), around(), {.arrays = arrays, .fingerprint = 1}};
    prepared second{make(2 * all), around(), {.arrays = arrays, .fingerprint = 2}};
    for (unsigned epoch = 1; epoch <= 3; ++epoch) {
        for (std::uint32_t i = 0; i < 2 * all; ++i) array_[i < all ? i : i + all] = static_cast<std::byte>(i * 7 + i / 256 + epoch);
        first.start();
        second.start();
        second.wait();
        first.wait();
        for (auto const at : {0U, 2 * all})
            EXPECT_TRUE(std::equal(array_ + at, array_ + at + all, array_ + at + all)) << "epoch " << epoch << ", plan at " << at;
    }
}

TEST_F(engine_meaning_test, more_messages_than_tags_are_refused) {
    plan_builder b{"too many", 0, 1};
    auto const s = b.add_stream(-1);
    auto const array = b.add(buffer{.host = 0, .bytes = 8});
    b.copy(s, operation::send, array, array, compile(contiguous(0, 1), contiguous(0, 1)), 0).argument = 32768;
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    EXPECT_THROW(prepared(p, around(), plan_terms{.arrays = arrays, .fingerprint = 1}), error);
}

TEST_F(engine_meaning_test, loops_that_have_no_room_or_no_end_are_refused) {
    for (std::size_t const depth : {std::size_t{0}, most_loops + 1}) {
        plan_builder b{"deep", 0, 1};
        auto const s = b.add_stream(-1);
        for (std::size_t i = 0; i < depth; ++i) b.emit(s, operation::loop).argument = 2;
        for (std::size_t i = 0; i < std::max<std::size_t>(depth, 1); ++i) b.emit(s, operation::end_loop);
        auto const p = b.finish();
        EXPECT_THROW(prepared(p, around(), plan_terms{.fingerprint = 1}), error) << depth;
    }
}

// What an operator of the user's throws comes out of wait(), once; one that was not given is refused.
TEST_F(engine_meaning_test, operators_of_the_users_may_throw_and_must_be_there) {
    plan_builder b{"combines", 0, 1};
    auto const s = b.add_stream(-1);
    auto const array = b.add(buffer{.host = 0, .bytes = 64});
    auto& d = b.copy(s, operation::reduce, array, array, compile(contiguous(0, 8), contiguous(8, 8)));
    d.argument = b.add(user_operator{.name = "fails", .element_bytes = 8});
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    EXPECT_THROW(prepared(p, around(), plan_terms{.arrays = arrays, .fingerprint = 1}), error);
    auto const fails = [](std::byte*, std::byte const*, std::byte const*, std::size_t n) { throw n; };
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1, .operators = {fails}}};
    run.start();
    EXPECT_THROW(run.wait(), std::size_t);
    EXPECT_TRUE(run.test());
}

TEST_F(engine_meaning_test, unknown_combiners_are_refused) {
    for (auto const argument : {combiner(reduction::bit_and, element::f64), 0xfffU}) {
        plan_builder b{"combines", 0, 1};
        auto const s = b.add_stream(-1);
        auto const array = b.add(buffer{.host = 0, .bytes = 64});
        b.copy(s, operation::reduce, array, array, compile(contiguous(0, 8), contiguous(0, 8))).argument = argument;
        auto const p = b.finish();
        bound_array const arrays[] = {{{array_, nullptr}}};
        EXPECT_THROW(prepared(p, around(), plan_terms{.arrays = arrays, .fingerprint = 1}), error);
    }
}

} // namespace
} // namespace sode::internal
