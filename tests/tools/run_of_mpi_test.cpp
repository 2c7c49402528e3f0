// SPDX-License-Identifier: Apache-2.0
// Plain `sode run` and programs of an MPI: several ranks that are each alone are refused, everything else is as it was.
#include "support/process.hpp"
#include "support/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct mpi {
    std::string name;
    std::string program;
    words launch;
};

std::vector<mpi> mpis() {
    std::vector<mpi> list;
#ifdef MPI_PROGRAM_openmpi
    list.push_back({"openmpi", MPI_PROGRAM_openmpi, {MPIRUN_openmpi, "--allow-run-as-root", "--oversubscribe", "-n"}});
#endif
#ifdef MPI_PROGRAM_mpich
    list.push_back({"mpich", MPI_PROGRAM_mpich, {MPIRUN_mpich, "-n"}});
#endif
    return list;
}

class RunOfMpi : public ::testing::TestWithParam<mpi> {};
INSTANTIATE_TEST_SUITE_P(by, RunOfMpi, ::testing::ValuesIn(mpis()), [](auto const& i) { return i.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(RunOfMpi); // a machine without MPI

TEST_P(RunOfMpi, RefusesJobsOfOneRankEach) {
    for (std::string const how : {"plain", "threads"}) {
        result const r = sode(words{"run", "-n", "2", GetParam().program, how});
        EXPECT_EQ(r.status, 2) << r.err;
        EXPECT_THAT(r.out, Not(HasSubstr("one of 1")));
        EXPECT_THAT(r.err, HasSubstr("MPI found only this process in a job of 2 ranks"));
        EXPECT_THAT(r.err, HasSubstr("\n  write `sode run --mpi -n 2`"));
    }
    EXPECT_EQ(sode(words{"run", "-n", "3", "env", "A=b", GetParam().program, "plain"}).status, 2) << "behind another program";
}

TEST_P(RunOfMpi, MayBeLinkedAlone) {
    result const r = sode(words{"run", "-n", "2", GetParam().program});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "not initialised"), 2);
}

TEST_P(RunOfMpi, MayBeAJobOfOneRank) {
    result const r = sode(words{"run", "-n", "1", GetParam().program, "plain"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("one of 1"));
}

// Hydra kills what is left of a rank as soon as its pipe closes, and tells of the signal that it has seen.
TEST_P(RunOfMpi, ACrashOfATaskIsTheSignalThatItWas) {
    if (GetParam().name != "mpich") GTEST_SKIP() << "another launcher waits for its ranks";
    if (process{{SODE_COMMAND, "run", "--space=tasks", "-n", "1", "true"}}.wait().status != 0) GTEST_SKIP() << "no tasks here";
    for (int round = 0; round < 5; ++round) {
        result const r = process{GetParam().launch + words{"1", SODE_COMMAND, "task", GetParam().program, "crash"}}.wait();
        EXPECT_NE(r.status, 0);
        EXPECT_THAT(r.out + r.err, HasSubstr("(signal 11)"));
        EXPECT_THAT(r.out + r.err, Not(HasSubstr("(signal 9)")));
    }
}

TEST_P(RunOfMpi, MayBeStartedByItsOwnLauncherInARank) {
    result const r = sode(words{"run", "-n", "2"} + GetParam().launch + words{"1", GetParam().program, "plain"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "one of 1"), 2);
}

} // namespace
} // namespace sode::internal::testing
