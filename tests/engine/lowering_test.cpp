// SPDX-License-Identifier: Apache-2.0
// What a network interface can hold as a queue, and what it cannot: each rule is found by name where it is broken, and is the right
// one: a queue in session mode, as the hardware has it, never issues too early where no rule is broken, whatever the order of
// arrivals, and does so in some order where one is.
#include "engine/triggered/lowering.hpp"

#include "plan/builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace sode::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto nothing_carried = [](descriptor const&) { return false; };

class lowering_test : public ::testing::Test {
protected:
    lowering_test() : build_("what is lowered", 0, 3), stream_(build_.add_stream(1, {executor_kind::queue, 2})) {
        build_.target().own_lines = 8;
    }
    std::uint32_t flag(std::uint32_t line, std::int64_t step = 1) {
        return build_.add(counter{.host = 0, .writer = 1, .index = line, .step = step});
    }
    std::uint32_t sum(std::uint32_t line, std::int64_t step) {
        return build_.add(counter{.host = 0, .writer = -1, .index = line, .kind = counter_kind::sum, .step = step});
    }
    descriptor& wait(std::uint32_t counter, std::int32_t threshold = 0) {
        auto& d = build_.emit(stream_, operation::wait);
        d.trigger = counter;
        d.threshold = threshold;
        return d;
    }
    lowered_stream lowered() {
        plan_ = build_.finish();
        auto const all = lower(plan_, nothing_carried);
        refused_ = refused_queue(plan_, all);
        return all.front();
    }
    void expect_broken(lowering_rule rule, std::uint32_t at) {
        auto const l = lowered();
        ASSERT_TRUE(l.broken.has_value());
        EXPECT_EQ(*l.broken, rule);
        EXPECT_EQ(l.at, at);
        EXPECT_THAT(refused_,
                    HasSubstr("its stream 0 is for queue 2 and breaks the rule \"" + std::string{to_string(rule)} + "\""));
    }
    void expect_a_queue() {
        auto const l = lowered();
        EXPECT_FALSE(l.broken.has_value()) << l.why;
        EXPECT_THAT(l.branches, IsEmpty());
        EXPECT_EQ(refused_, "");
    }

    plan_builder build_;
    std::uint32_t stream_;
    plan plan_;
    std::string refused_;
};

TEST_F(lowering_test, one_counter_with_rising_thresholds_is_a_queue) {
    build_.emit(stream_, operation::signal).signal = flag(0);
    wait(flag(1, 3), -2);
    build_.emit(stream_, operation::signal).signal = flag(0);
    wait(flag(1, 3), -1);
    wait(flag(1, 3), -1);
    wait(flag(1, 3), 0);
    expect_a_queue();
}

TEST_F(lowering_test, a_second_counter_is_another_part) {
    wait(flag(1));
    wait(flag(2));
    wait(flag(2));
    wait(flag(1));
    expect_broken(lowering_rule::one_counter, 1);
    EXPECT_THAT(lower(plan_, nothing_carried).front().branches, ElementsAre(1, 3));
}

TEST_F(lowering_test, thresholds_must_not_fall) {
    wait(flag(1, 3), 0);
    wait(flag(1, 3), -1);
    expect_broken(lowering_rule::rising_thresholds, 1);
}

// Between the last iteration but one and the last, of the outer loop of two.
TEST_F(lowering_test, thresholds_must_not_fall_in_loops_either) {
    auto const outer = build_.add(loop_strides{.threshold = 2});
    auto const inner = build_.add(loop_strides{.threshold = 1, .outer = outer});
    for (bool const falls : {false, true}) {
        build_ = plan_builder{"loops", 0, 3};
        build_.target().own_lines = 8;
        stream_ = build_.add_stream(1, {executor_kind::queue, 2});
        static_cast<void>(build_.add(loop_strides{.threshold = 2}));
        static_cast<void>(build_.add(loop_strides{.threshold = 1, .outer = outer}));
        build_.emit(stream_, operation::loop).argument = 1000;
        build_.emit(stream_, operation::loop).argument = falls ? 4 : 3;
        wait(flag(1, 5000), -4000).strides = inner;
        build_.emit(stream_, operation::end_loop);
        build_.emit(stream_, operation::end_loop);
        if (falls)
            expect_broken(lowering_rule::rising_thresholds, 2);
        else
            expect_a_queue();
    }
}

TEST_F(lowering_test, arrivals_of_several_ranks_must_be_alike) {
    wait(sum(1, 2), 0); // the second of two lets go, the first does not
    expect_broken(lowering_rule::equal_steps, 0);
}

TEST_F(lowering_test, those_that_each_let_go_of_as_much_are_alike) {
    for (int const n : {-1, -1, 0, 0}) wait(sum(1, 2), n);
    expect_a_queue();
}

TEST_F(lowering_test, those_that_let_go_of_more_or_less_are_not) {
    for (int const n : {-1, 0, 0}) wait(sum(1, 2), n);
    expect_broken(lowering_rule::equal_steps, 1);
}

TEST_F(lowering_test, messages_and_functions_are_for_the_host) {
    auto const array = build_.add(buffer{.host = 0, .bytes = 64});
    wait(flag(1));
    build_.copy(stream_, operation::send, array, array, compile(contiguous(0, 8), contiguous(0, 8)), 1);
    expect_broken(lowering_rule::no_messages, 1);
    build_ = plan_builder{"calls", 0, 3};
    stream_ = build_.add_stream(1, {executor_kind::queue, 2});
    build_.emit(stream_, operation::call);
    expect_broken(lowering_rule::no_functions, 0);
}

TEST_F(lowering_test, a_put_is_for_the_host_if_a_message_carries_it) {
    auto const array = build_.add(buffer{.host = 1, .bytes = 64});
    build_.copy(stream_, operation::put, array, array, compile(contiguous(0, 8), contiguous(0, 8)), 1);
    auto const p = build_.finish();
    EXPECT_FALSE(lower(p, nothing_carried).front().broken.has_value());
    EXPECT_EQ(lower(p, [](descriptor const& d) { return d.peer == 1; }).front().broken, lowering_rule::no_messages);
}

/// A queue of the hardware: descriptors that wait for counters, and packets that each advance the one pointer.
struct hardware_queue {
    struct entry {
        std::uint32_t counter = 0; // 0: none
        int threshold = 0;
    };
    std::vector<entry> entries;
    std::map<std::uint32_t, int> arrivals; // by counter, how many there are

    // The step that arrival `number` of a counter carries: as many descriptors as wait for just that, with what follows them.
    [[nodiscard]] int step(std::uint32_t counter, int number) const {
        int n = 0;
        bool mine = false;
        for (auto const& e : entries) {
            if (e.counter != 0) mine = e.counter == counter && e.threshold == number;
            n += mine ? 1 : 0;
        }
        return n;
    }
    [[nodiscard]] int doorbell() const {
        auto const first = std::ranges::find_if(entries, [](entry const& e) { return e.counter != 0; });
        return static_cast<int>(first - entries.begin());
    }
    /// `order`: (counter, which packet of those that are meant for it). True: each descriptor was issued when it was allowed.
    [[nodiscard]] bool is_right(std::vector<std::pair<std::uint32_t, int>> const& order) const {
        std::map<std::uint32_t, int> come;
        auto pointer = static_cast<std::size_t>(doorbell());
        std::size_t read = pointer;
        for (auto const& [counter, number] : order) {
            ++come[counter];
            pointer += static_cast<std::size_t>(step(counter, number));
            for (; read < pointer && read < entries.size(); ++read)
                if (auto const& e = entries[read]; e.counter != 0 && come[e.counter] < e.threshold) return false;
        }
        return read == entries.size();
    }
    /// In all orders: packets of one rank come in its order, those of several in any.
    [[nodiscard]] bool is_right_always(std::map<std::uint32_t, bool> const& several) const {
        std::vector<std::pair<std::uint32_t, int>> packets;
        for (auto const& [counter, n] : arrivals)
            for (int i = 1; i <= n; ++i) packets.emplace_back(counter, i);
        std::ranges::sort(packets);
        do {
            std::map<std::uint32_t, int> last;
            bool const possible = std::ranges::all_of(
                packets, [&](auto const& p) { return several.at(p.first) || p.second > std::exchange(last[p.first], p.second); });
            if (possible && !is_right(packets)) return false;
        } while (std::ranges::next_permutation(packets).found);
        return true;
    }
};

TEST(lowering, rules_are_those_of_the_hardware) {
    std::mt19937 random{7};
    std::map<lowering_rule, int> broken, seen_wrong;
    int right = 0;
    for (int n = 0; n < 4000; ++n) {
        plan_builder b{"drawn", 0, 4};
        auto const s = b.add_stream(-1);
        hardware_queue model;
        std::map<std::uint32_t, bool> several;
        std::map<std::uint32_t, int> most;
        auto const counters = 1 + random() % 2;
        std::vector<std::pair<std::uint32_t, int>> drawn;
        for (auto k = 1 + random() % 4; k > 0; --k)
            drawn.emplace_back(random() % 5 == 0 ? 0 : 1 + static_cast<std::uint32_t>(random() % counters), 1 + random() % 3);
        if (random() % 2 == 0) std::ranges::stable_sort(drawn, {}, [](auto const& d) { return d.second; });
        for (auto const& [c, t] : drawn)
            if (c != 0) most[c] = std::max(most[c], t);
        std::map<std::uint32_t, std::uint32_t> index;
        for (auto const& [c, t] : most) {
            several[c] = random() % 3 == 0;
            index[c] = b.add(counter{.host = 0,
                                     .writer = several[c] ? -1 : 1,
                                     .index = c,
                                     .kind = several[c] ? counter_kind::sum : counter_kind::flag,
                                     .step = t});
            model.arrivals[c] = t;
        }
        for (auto const& [c, t] : drawn) {
            auto& d = b.emit(s, operation::wait);
            model.entries.push_back({c, t});
            if (c == 0) continue;
            d.trigger = index[c];
            d.threshold = t - most[c];
        }
        auto const l = lower(b.finish(), nothing_carried).front();
        bool const is_right = model.is_right_always(several);
        if (!l.broken) {
            ++right;
            EXPECT_TRUE(is_right) << "stream " << n << " is taken for a queue, and is none";
            continue;
        }
        ++broken[*l.broken];
        seen_wrong[*l.broken] += is_right ? 0 : 1;
    }
    EXPECT_GT(right, 100);
    for (auto const rule : {lowering_rule::one_counter, lowering_rule::rising_thresholds}) {
        EXPECT_GT(broken[rule], 100);
        EXPECT_EQ(seen_wrong[rule], broken[rule]) << to_string(rule);
    }
    // Steps that differ may happen to do no harm, if the larger ones come first.
    EXPECT_GT(2 * seen_wrong[lowering_rule::equal_steps], broken[lowering_rule::equal_steps]);
    EXPECT_GT(broken[lowering_rule::equal_steps], 100);
}

} // namespace
} // namespace sode::internal
