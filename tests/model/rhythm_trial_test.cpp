// SPDX-License-Identifier: Apache-2.0
// A way that leaves work behind loses against one that does not, though its own messages are shorter; what says nothing of the two
// ways decides nothing, and the comparison costs little.
#include "model/rhythm_trial.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>

namespace sode::internal::testing {
namespace {

// A program that sends a message, and then does something else before the next one.
struct program {
    std::array<double, 2> own{4000, 6000};   // nanoseconds of a message, of the kept way and the other
    std::array<double, 2> after{5000, 1000}; // what each leaves to do
    double beside = 3000;                    // what there is to do anyway
    double noise = 0.02;
    double grows = 0; // of each gap to the next
    unsigned seed = 1;
};

struct outcome {
    bool won = false;
    std::optional<double> gained;
    int messages = 0, by_other = 0;
};

outcome carry_out(program const& p) {
    std::mt19937 random{p.seed};
    std::uniform_real_distribution<double> wobble{1 - p.noise, 1 + p.noise};
    rhythm_trial t;
    t.begin(p.own[0], p.own[1]);
    outcome o;
    double now = 1e6;
    while (auto const other = t.next(static_cast<std::int64_t>(now))) {
        auto const w = static_cast<std::size_t>(*other);
        now += (p.own[w] + p.after[w] + p.beside) * wobble(random) * (1 + p.grows * o.messages);
        ++o.messages;
        o.by_other += *other ? 1 : 0;
    }
    EXPECT_FALSE(t.running());
    o.won = t.won();
    o.gained = t.gained_ns();
    return o;
}

constexpr int most_messages = 2 * rhythm_trial::pairs * rhythm_trial::in_turn;

TEST(RhythmTrial, FindsWhatMessagesLeaveBehind) {
    auto const o = carry_out({});
    EXPECT_TRUE(o.won);
    EXPECT_NEAR(o.gained.value_or(0), 2000, 500);
    EXPECT_EQ(o.messages, most_messages);
    EXPECT_EQ(2 * o.by_other, o.messages) << "both carry as many";
}

TEST(RhythmTrial, LeavesTheKeptWayWhereNothingIsLeftBehind) {
    auto const o = carry_out({.after = {0, 0}});
    EXPECT_FALSE(o.won);
    EXPECT_NEAR(o.gained.value_or(0), -2000, 500);
    EXPECT_LE(o.messages, 4 * static_cast<int>(rhythm_trial::in_turn)) << "two clear pairs are enough";
}

TEST(RhythmTrial, DecidesNothingWhereSeveralMessagesAreUnderWay) {
    // Posting takes less than a message does, and less by the other way.
    auto const o = carry_out({.own = {4000, 6000}, .after = {-3500, -5800}, .beside = 0});
    EXPECT_FALSE(o.won);
    EXPECT_FALSE(o.gained);
    EXPECT_LE(o.messages, static_cast<int>(rhythm_trial::in_turn));
}

TEST(RhythmTrial, DecidesNothingWhereTheProgramComputes) {
    auto const o = carry_out({.beside = 100'000});
    EXPECT_FALSE(o.won);
    EXPECT_FALSE(o.gained);
    EXPECT_LE(o.messages, static_cast<int>(rhythm_trial::in_turn));
}

TEST(RhythmTrial, ARhythmThatChangesMeanwhileDecidesNothing) {
    for (double const grows : {-0.01, 0.01})
        EXPECT_FALSE(carry_out({.own = {5000, 5000}, .after = {0, 0}, .noise = 0.001, .grows = grows}).won) << grows;
}

TEST(RhythmTrial, NoiseSeldomMisleads) {
    constexpr int programs = 1000;
    int misled = 0, found = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
        misled += carry_out({.own = {5000, 5300}, .after = {500, 500}, .noise = 0.3, .seed = seed}).won ? 1 : 0;
        found += carry_out({.noise = 0.1, .seed = seed}).won ? 1 : 0;
    }
    EXPECT_LE(misled, programs / 10) << "by a way that is as good but for a few percent";
    EXPECT_GE(found, programs * 9 / 10);
}

TEST(RhythmTrial, NothingIsKnownBeforeItsEnd) {
    rhythm_trial t;
    EXPECT_FALSE(t.running());
    EXPECT_FALSE(t.gained_ns());
    t.begin(1000, 1000);
    EXPECT_TRUE(t.running());
    EXPECT_EQ(t.next(0), false) << "the kept way begins";
    EXPECT_FALSE(t.gained_ns());
}

} // namespace
} // namespace sode::internal::testing
