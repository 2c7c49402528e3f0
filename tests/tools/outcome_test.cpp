// SPDX-License-Identifier: Apache-2.0
// What two runs of a job differ in, as `sode run --scatter=5seeds` tells it; and such runs.
#include "launch/outcome.hpp"

#include "base/processors.hpp"
#include "support/process.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Outcome, OrderBetweenRanksIsNoDifference) {
    auto const a = outcome_of(0, "[0] x\n[1] y\n[0] z\n", "[1] e\n");
    EXPECT_THAT(differences(a, outcome_of(0, "[1] y\n[0] x\n[0] z\n", "[1] e\n")), IsEmpty());
    EXPECT_THAT(a.out.at(0), ElementsAre("x", "z"));
}

TEST(Outcome, TellsTheFirstLineThatChanged) {
    auto const a = outcome_of(0, "[0] x\n[10] y\n[10] z\n", "");
    EXPECT_THAT(differences(a, outcome_of(0, "[0] x\n[10] y\n[10] 7\n[10] 8\n", "[0] oh\n")),
                ElementsAre("line 2 that rank 10 wrote to its standard output is \"7\" and was \"z\"",
                            "line 1 that rank 0 wrote to its standard error is \"oh\" and was nothing"));
}

TEST(Outcome, TellsACrash) {
    auto const crash = outcome_of(139, "", "sode: error: rank 1 was killed by signal 11 (Segmentation fault)\n");
    EXPECT_THAT(
        differences(outcome_of(0, "", ""), crash),
        ElementsAre(
            "this run ended with status 139 (rank 1 was killed by signal 11 (Segmentation fault)), and the first run with 0 (all "
            "ranks ended successfully)"));
    EXPECT_THAT(differences(crash, crash), IsEmpty());
}

bool tasks_work() {
    return testing::process{{SODE_COMMAND, "run", "--space=tasks", "-n", "1", "true"}}.wait().status == 0;
}

testing::result of_placements(std::vector<std::string> words) {
    words.insert(words.begin(), {SODE_COMMAND, "run", "--space=tasks", "--scatter=3seeds", "-n", "2", "--"});
    return testing::process{words}.wait();
}

TEST(Placements, ThatGoAlikeAreToldSo) {
    if (!tasks_work()) GTEST_SKIP() << "no tasks here";
    auto const r = of_placements({RANK_PROGRAM, "barriers", "10"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.err, HasSubstr("sode: all 3 placements gave the same results\n"));
}

TEST(Placements, WhatDependsOnAddressesIsTold) {
    if (!tasks_work()) GTEST_SKIP() << "no tasks here";
    auto const r = of_placements({RANK_PROGRAM, "address"});
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.out, HasSubstr("[1] 0x")) << "the first run is shown";
    EXPECT_THAT(r.err, HasSubstr("line 1 that rank 1 wrote to its standard output is \"0x"));
    EXPECT_THAT(r.err, HasSubstr("2 of 3 placements gave other results"));
}

TEST(Placements, GiveThreadsTheirCores) {
    auto const usable = processor_set::of_this_thread();
    if (!tasks_work() || usable.count() < 2) GTEST_SKIP() << "no tasks here, or only one processor";
    auto const both = fmt::format("{},{}", usable.numbers()[0], usable.numbers()[1]);
    auto const r = testing::process{
        {SODE_COMMAND, "run", "--space=tasks", "--scatter=2seeds", "-n", "1", "--threads=2", "--cores=" + both, "--", RANK_PROGRAM,
         "identity"}}.wait();
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("cores " + processor_set::parse(both).to_string() + '\n'));
}

TEST(Placements, AreAtLeastTwo) {
    for (std::string const words : {"1seeds", "0seeds", "5weeds", "seeds", "1001seeds"}) {
        auto const r = testing::sode({"run", "--space=tasks", "--scatter=" + words, "-n", "2", "true"});
        EXPECT_EQ(r.status, 2) << words;
        EXPECT_THAT(r.err, HasSubstr("--scatter=5seeds"));
    }
}

} // namespace
} // namespace sode::internal::tools
