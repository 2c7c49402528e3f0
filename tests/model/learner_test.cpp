// SPDX-License-Identifier: Apache-2.0
// What is learnt from the times of messages costs little more than always having known the best way: also where the best way
// changes, where times are noisy, and where most of them say nothing.
#include "model/learner.hpp"
#include "replayed_times.hpp"

#include <array>

namespace sode::internal {
namespace {

using testing::replay;
using testing::replayed;

constexpr int many = 4000;

void expect_regret(replayed const& r, double most) {
    EXPECT_LE(r.took / r.least, most) << "tries: " << r.tries;
    ::testing::Test::RecordProperty("regret", std::to_string(r.took / r.least));
}

TEST(Learner, KeepsWhatTheModelProposesIfThatIsTheBest) {
    auto const r = replay({.predicted = {10, 14, 20}, .messages = 1000, .noise = 0.05}, [](int) {
        return std::vector{10., 14., 20.};
    });
    EXPECT_EQ(r.kept, 0U);
    expect_regret(r, 1.05);
}

TEST(Learner, FindsWhatTheModelFindsDear) {
    auto const r = replay({.predicted = {10, 14, 35}, .messages = 1000, .noise = 0.05}, [](int) {
        return std::vector{30., 14., 6.};
    });
    EXPECT_EQ(r.kept, 2U);
    expect_regret(r, 1.05);
}

TEST(Learner, DoesNotTryWhatIsHopeless) {
    auto const r = replay({.predicted = {10, 14, 100, 0}, .messages = 1000, .noise = 0.05}, [](int) {
        return std::vector{10., 14., 1000., 1.};
    });
    EXPECT_EQ(r.asked[2], 0);
    EXPECT_EQ(r.asked[3], 0) << "it cannot be";
    expect_regret(r, 1.05);
}

TEST(Learner, DoesNotBelieveAModelThatWasWrongOfTheKeptWay) {
    // The model expects four times what messages take: 50 is far more than what the first way takes, but not more than was expected
    // of that.
    auto const r = replay({.predicted = {40, 50}, .messages = 1000, .noise = 0.05}, [](int) { return std::vector{8., 5.}; });
    EXPECT_EQ(r.kept, 1U);
    expect_regret(r, 1.05);
}

TEST(Learner, AFirstTryThatMetColdMemoryDoesNotCount) {
    int tries = 0;
    learner l{std::array{10., 30.}};
    for (int n = 0; n < 40; ++n) {
        auto const [way, timed] = l.next();
        if (way == 1) ++tries;
        if (timed) l.note(way, way == 0 ? 10 : tries == 1 ? 55 : tries == 2 ? 24 : 6);
    }
    EXPECT_EQ(l.chosen(), 1U) << "of 55 and 24, the least would be no reason to go on";
}

TEST(Learner, LooksMoreSeldomAtWaysThatAreNeverBetter) {
    constexpr int very_many = 20'000;
    auto const r = replay({.predicted = {10, 14}, .messages = very_many, .noise = 0.05}, [](int) { return std::vector{10., 14.}; });
    EXPECT_EQ(r.kept, 0U);
    EXPECT_GE(r.asked[1], very_many / 400) << "but does so for ever";
    EXPECT_LE(r.asked[1], very_many / 100);
    expect_regret(r, 1.005);
}

TEST(Learner, TriesOfABadWayStayWithinTheBudget) {
    // The model says that all are equal; most are three to fifteen times as dear.
    auto const r = replay({.predicted = {10, 10, 10, 10, 10}, .messages = 1000, .noise = 0.1}, [](int) {
        return std::vector{150., 30., 10., 60., 100.};
    });
    EXPECT_EQ(r.kept, 2U);
    expect_regret(r, 1.065); // 30 of which are first tries, without which nobody knows anything
}

TEST(Learner, FollowsABestWayThatChangesTwice) {
    auto const r = replay({.predicted = {10, 12, 15}, .messages = many, .noise = 0.05}, [](int n) {
        return n < many / 3       ? std::vector{10., 15., 20.}
               : n < 2 * many / 3 ? std::vector{25., 15., 20.}
                                  : std::vector{25., 20., 9.};
    });
    EXPECT_EQ(r.kept, 2U);
    expect_regret(r, 1.08);
}

TEST(Learner, FollowsAWayThatBecomesBetterWhileItsOwnStaysAsItWas) {
    auto const r = replay({.predicted = {10, 12, 15}, .messages = many, .noise = 0.05}, [](int n) {
        return n < many / 2 ? std::vector{10., 15., 20.} : std::vector{10., 5., 20.};
    });
    EXPECT_EQ(r.kept, 1U);
    expect_regret(r, 1.15);
}

TEST(Learner, FollowsCoresThatMoveNearAndFar) {
    auto const r = replay({.predicted = {10, 12, 15}, .messages = 10 * many, .noise = 0.1}, [](int n) {
        return n / many % 2 == 0 ? std::vector{10., 14., 15.} : std::vector{40., 30., 20.};
    });
    expect_regret(r, 1.08);
}

TEST(Learner, WhatAnotherRankHasMeasuredSavesTheTries) {
    auto const times = [](int) { return std::vector{30., 14., 6.}; };
    auto const r = replay({.predicted = {10, 14, 20}, .messages = 100, .noise = 0.05, .adopted = {29, 15, 6.2}}, times);
    EXPECT_EQ(r.kept, 2U);
    EXPECT_LE(r.asked[0] + r.asked[1], 2) << r.tries;
    expect_regret(r, 1.03);
}

TEST(Learner, WhatIsNoLongerTrueIsFoundOut) {
    // The way that was best elsewhere is the worst here.
    auto const r = replay({.predicted = {10, 14, 20}, .messages = 2000, .noise = 0.05, .adopted = {29, 15, 6}}, [](int) {
        return std::vector{10., 14., 22.};
    });
    EXPECT_EQ(r.kept, 0U);
    expect_regret(r, 1.1);
}

TEST(Learner, OnlyPossibleWaysAreAdopted) {
    learner l{std::vector{10., 0., 14.}};
    l.adopt(std::vector{0., 1., 0.});
    EXPECT_EQ(l.chosen(), 0U);
    EXPECT_FALSE(l.settled());
    l.adopt(std::vector{20., 1., 14., 2., 3., 4., 5.});
    EXPECT_EQ(l.chosen(), 2U);
    EXPECT_TRUE(l.settled());
}

TEST(Learner, LearnsNothingFromComputationThatOverlaps) {
    // Nine of ten messages are over long before anybody looks, and nobody tells their times.
    auto const r = replay({.predicted = {10, 8, 15}, .messages = many, .noise = 0.05, .seen = 0.1}, [](int) {
        return std::vector{6., 12., 20.};
    });
    EXPECT_EQ(r.kept, 0U);
    expect_regret(r, 1.1);
}

TEST(Learner, KeepsTheModelsChoiceWhereNoTimeIsEverSeen) {
    auto const r = replay({.predicted = {10, 8, 15}, .messages = many, .noise = 0.05, .seen = 0}, [](int) {
        return std::vector{6., 12., 20.};
    });
    EXPECT_EQ(r.asked[0] + r.asked[2], 0) << "nothing is tried of which nobody learns anything";
}

TEST(Learner, IsNotConfusedByNoise) {
    auto const r = replay({.predicted = {12, 10, 15}, .messages = many, .noise = 0.3}, [](int) {
        return std::vector{10., 14., 20.};
    });
    EXPECT_EQ(r.kept, 0U);
    expect_regret(r, 1.08);
}

TEST(Learner, IsNotConfusedByInterrupts) {
    auto const r = replay({.predicted = {12, 10, 15}, .messages = many, .noise = 0.1, .interrupted = 0.05}, [](int) {
        return std::vector{10., 14., 20.};
    });
    EXPECT_EQ(r.kept, 0U);
    expect_regret(r, 1.08);
}

// The first message by another way than the last one meets cold memory, and takes twice as long.
TEST(Learner, FindsAWayThatIsTheBestOnlyAmongItsOwn) {
    for (bool const begins_with_it : {false, true}) {
        learner l{begins_with_it ? std::vector{10., 12.} : std::vector{12., 10.}};
        std::mt19937 random{3};
        std::uniform_real_distribution<double> wobble{0.95, 1.05};
        std::size_t before = 2;
        double took = 0;
        for (int n = 0; n < many; ++n) {
            auto const [way, timed] = l.next();
            double const ns = (way == 0 ? 8. : 10.) * (way == std::exchange(before, way) ? 1 : 2);
            took += ns;
            if (timed) l.note(way, ns * wobble(random));
        }
        EXPECT_EQ(l.chosen(), 0U);
        EXPECT_LE(took / (8. * many), 1.06);
    }
}

// Messages of 8 KiB through two stages in turn, which nobody had touched, between near cores of an AMD EPYC (family 23, model 1),
// us: the first use of either is cold, and the MPI is never as fast as they are then.
TEST(Learner, FirstUsesOfAWayThatAreColdDoNotDecide) {
    for (int const cold : {1, 2}) {
        learner l{std::vector{6., 4., 30.}};
        int staged = 0, messages = 0, late = 0;
        double took = 0;
        for (; messages < 400; ++messages) {
            auto const [way, timed] = l.next();
            double const ns = way == 0 ? 7 : way == 2 ? 40 : staged++ < cold ? 15 : 3;
            took += ns;
            if (timed) l.note(way, ns);
            late += messages >= 40 && way != 1 ? 1 : 0;
        }
        EXPECT_EQ(l.chosen(), 1U) << cold;
        EXPECT_LE(late, 20) << cold;
        EXPECT_LE(took / (3. * messages), 1.15) << cold;
    }
}

// And hope for that costs one message of a way.
TEST(Learner, FirstUsesAreForgivenOnce) {
    auto const r = replay({.predicted = {10, 11, 12, 13}, .messages = 1000, .noise = 0.1}, [](int) {
        return std::vector{10., 40., 50., 59.};
    });
    EXPECT_EQ(r.kept, 0U);
    EXPECT_LE(r.asked[1] + r.asked[2] + r.asked[3], 12) << r.tries;
    expect_regret(r, 1.05);
}

// Messages of 8 KiB between processes of Open MPI on a machine on which compilers ran, ns: who tried the stage first waited for its
// turn on the processor, twice, and it was never tried again.
TEST(Learner, ProcessorsThatDoOtherThingsDoNotDecide) {
    learner l{std::vector{4.5e3, 2.7e3}};
    double took = 0;
    int tries = 0;
    for (int n = 0; n < 1000; ++n) {
        auto const [way, timed] = l.next();
        double const ns = way == 0 ? 6e3 : tries++ < 2 ? 20e6 : 3e3;
        if (ns < 20e6) took += ns;
        if (timed) l.note(way, ns);
    }
    EXPECT_EQ(l.chosen(), 1U);
    EXPECT_LE(took / (3e3 * 1000), 1.1);
}

// If all of them do, that is how it is.
TEST(Learner, ProcessorsThatAlwaysDoOtherThingsDecide) {
    learner l{std::vector{4.5e3, 2.7e3}};
    for (int n = 0; n < 1000; ++n) {
        auto const [way, timed] = l.next();
        if (timed) l.note(way, way == 0 ? 6e6 : 20e6);
    }
    EXPECT_EQ(l.chosen(), 0U);
}

TEST(Learner, PhasesOfOneMessageDoNotCostMoreThanTheBudget) {
    // No way is the best for two messages in a row: nobody can follow that, but the best that is kept can be found.
    auto const r = replay({.predicted = {10, 12, 20}, .messages = many, .noise = 0.05}, [](int n) {
        return n % 2 == 0 ? std::vector{10., 30., 19.} : std::vector{30., 12., 19.};
    });
    double const best_kept = std::min(20.0, 19.0);
    EXPECT_LE(r.took / (best_kept * many), 1.2);
}

TEST(Learner, SaysWhatItSaw) {
    std::vector<double> const predicted{10, 0, 30};
    learner l{predicted};
    EXPECT_EQ(l.chosen(), 0U);
    EXPECT_FALSE(l.possible(1));
    EXPECT_EQ(l.measured(0), 0);
    auto const first = l.next();
    EXPECT_EQ(first.way, 0U);
    EXPECT_TRUE(first.timed);
    l.note(first.way, 17);
    l.note(1, 3); // it cannot be
    EXPECT_EQ(l.measured(0), 17);
    EXPECT_EQ(l.tried(0), 1U);
    EXPECT_EQ(l.tried(1), 0U);
}

// The first tries of a program meet memory that nobody has touched.
TEST(Learner, TriesAgainWhatWasTriedFirst) {
    std::array<double, 2> const predicted{6, 9}, warm{6, 4};
    learner l{predicted};
    for (int n = 0, firsts = 0; n < 100; ++n) {
        auto const [way, timed] = l.next();
        double const cold = way == 0 && firsts < 2 ? std::array{66., 14.}[static_cast<std::size_t>(firsts++)] : warm[way];
        if (timed) l.note(way, cold);
    }
    EXPECT_EQ(l.chosen(), 1U);
    EXPECT_DOUBLE_EQ(l.measured(0), 6) << "not what it took when all was cold";
}

TEST(Learner, WhatAWayCostsBesideItsTimeStaysWithIt) {
    std::array<double, 3> const predicted{10, 10, 30}, takes{4, 6, 30};
    learner l{predicted};
    auto const run = [&](int messages) {
        for (int n = 0; n < messages; ++n)
            if (auto const [way, timed] = l.next(); timed) l.note(way, takes[way]);
    };
    run(200);
    ASSERT_EQ(l.chosen(), 0U);
    l.prefer(1, std::array{3., 0., -1.});
    EXPECT_EQ(l.chosen(), 1U);
    EXPECT_DOUBLE_EQ(l.measured(0), 9);
    EXPECT_DOUBLE_EQ(l.by_itself(0), 4);
    run(2000);
    EXPECT_EQ(l.chosen(), 1U) << "though looks at the other one find its time as short as ever";
    EXPECT_TRUE(l.settled());
    // The program does not write any more what it sends.
    l.prefer(0, std::array{0., 2., -1.});
    EXPECT_EQ(l.chosen(), 0U);
    EXPECT_DOUBLE_EQ(l.measured(0), 4);
    EXPECT_DOUBLE_EQ(l.measured(1), 6) << "it takes as much by itself";
    run(2000);
    EXPECT_EQ(l.chosen(), 0U);
}

} // namespace
} // namespace sode::internal
