// SPDX-License-Identifier: Apache-2.0
// Every ordering of the protocol is needed: with all of them a scenario is right under thousands of random schedules of weak
// memory, and without any one of them some schedule breaks it.
#include "gmpi/scenarios.hpp"
#include "support/number_of.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace sode::internal::testing {

namespace {

using gmpi::detail::ordering;
using scenario_of = bool (*)(std::uint64_t);

constexpr int usual_schedules = 1500, scenarios = 10;

/// The first schedule, of `cases`, that breaks it; 0: none.
int first_broken(scenario_of run, int cases) {
    for (int seed = 1; seed <= cases; ++seed)
        if (!run(static_cast<std::uint64_t>(seed))) return seed;
    return 0;
}

void holds(char const* name, scenario_of run) {
    int const cases = number_of("TEST_SCHEDULES", scenarios * usual_schedules) / scenarios;
    EXPECT_EQ(first_broken(run, cases), 0) << name << " is wrong under this schedule";
    std::printf("%s: schedules 1 to %d\n", name, cases);
}

void is_needed(char const* what, scenario_of without) {
    int const seed = first_broken(without, usual_schedules);
    EXPECT_NE(seed, 0) << what << " can be left out, and nothing happens in " << usual_schedules << " schedules";
    std::printf("without %s: wrong under schedule %d\n", what, seed);
}

} // namespace

TEST(GmpiOrderings, HoldUnderRandomSchedules) {
    holds("message", [](std::uint64_t s) { return scenario::message<weak_platform<>>(s); });
    holds("short message", &scenario::short_message<weak_platform<>>);
    holds("crowd", &scenario::crowd<weak_platform<>>);
    holds("one slot", &scenario::one_slot<weak_platform<>>);
    holds("signal", &scenario::signalled<weak_platform<>>);
    holds("report", &scenario::reported<weak_platform<>>);
    holds("group", &scenario::group<weak_platform<>>);
    holds("two hops", &scenario::two_hops<weak_platform<>>);
    holds("last block", [](std::uint64_t s) { return scenario::last_block<weak_platform<>>(s); });
    holds("stores by the source", [](std::uint64_t s) { return scenario::stored_halo<weak_platform<>, weak_platform<>>(s); });
}

TEST(GmpiOrderings, EachIsNeeded) {
    is_needed("publish", [](std::uint64_t s) { return scenario::message<weak_platform<ordering::publish>>(s); });
    is_needed("take", [](std::uint64_t s) { return scenario::message<weak_platform<ordering::take>>(s); });
    is_needed("complete", [](std::uint64_t s) { return scenario::message<weak_platform<ordering::complete>>(s); });
    is_needed("observe", [](std::uint64_t s) { return scenario::message<weak_platform<ordering::observe>>(s); });
    is_needed("complete of a short message", &scenario::short_message<weak_platform<ordering::complete>>);
    is_needed("observe of a short message", &scenario::short_message<weak_platform<ordering::observe>>);
    is_needed("free_units", &scenario::crowd<weak_platform<ordering::free_units>>);
    is_needed("reuse_units", &scenario::crowd<weak_platform<ordering::reuse_units>>);
    is_needed("lend_credit", &scenario::crowd<weak_platform<ordering::lend_credit>>);
    is_needed("borrow_credit", &scenario::crowd<weak_platform<ordering::borrow_credit>>);
    is_needed("free_slot", &scenario::one_slot<weak_platform<ordering::free_slot>>);
    is_needed("reuse_slot", &scenario::one_slot<weak_platform<ordering::reuse_slot>>);
    is_needed("raise", &scenario::signalled<weak_platform<ordering::raise>>);
    is_needed("hear", &scenario::signalled<weak_platform<ordering::hear>>);
    is_needed("report", &scenario::reported<weak_platform<ordering::report>>);
    is_needed("heed", &scenario::reported<weak_platform<ordering::heed>>);
    is_needed("gather", &scenario::group<weak_platform<ordering::gather>>);
    is_needed("scatter", &scenario::group<weak_platform<ordering::scatter>>);
    is_needed("forward", &scenario::two_hops<weak_platform<ordering::forward>>);
    is_needed("arrive", [](std::uint64_t s) { return scenario::last_block<weak_platform<ordering::arrive>>(s); });
    is_needed("conclude", [](std::uint64_t s) { return scenario::last_block<weak_platform<ordering::conclude>>(s); });
    is_needed("join", [](std::uint64_t s) { return scenario::last_block<weak_platform<ordering::join>>(s); });
    is_needed("raise of the last block", [](std::uint64_t s) { return scenario::last_block<weak_platform<ordering::raise>>(s); });
}

template <ordering O> bool without_at_target(std::uint64_t seed) {
    return scenario::stored_halo<weak_platform<O>, weak_platform<>>(seed);
}
template <ordering O> bool without_at_source(std::uint64_t seed) {
    return scenario::stored_halo<weak_platform<>, weak_platform<O>>(seed);
}

TEST(GmpiOrderings, EachIsNeededWhereTheSourceStores) {
    is_needed("raise of a halo that may be written", &without_at_target<ordering::raise>);
    is_needed("hear of a halo that may be written", &without_at_source<ordering::hear>);
    is_needed("raise of a halo that has been written", &without_at_source<ordering::raise>);
    is_needed("hear of a halo that has been written", &without_at_target<ordering::hear>);
    is_needed("arrive of blocks that store", &without_at_source<ordering::arrive>);
    is_needed("conclude of blocks that store", &without_at_source<ordering::conclude>);
}

TEST(GmpiOrderings, TheDevicesScopeIsTooNarrowForTheHost) {
    is_needed("system scope", [](std::uint64_t s) { return scenario::message<weak_platform<>>(s, true); });
    is_needed("system scope where the source stores",
              [](std::uint64_t s) { return scenario::stored_halo<weak_platform<>, weak_platform<>>(s, true); });
    is_needed("system scope of the last block's flag",
              [](std::uint64_t s) { return scenario::last_block<weak_platform<>>(s, true); });
}

} // namespace sode::internal::testing
