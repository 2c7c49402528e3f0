// SPDX-License-Identifier: Apache-2.0
// Unmodified MPI programs as tasks, under their own launchers.
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::testing {
namespace {

using ::testing::HasSubstr;

struct mpi {
    std::string name;
    words launch;
    std::string program;
};

std::vector<mpi> mpis() {
    std::vector<mpi> list;
#ifdef MPIRUN_openmpi
    list.push_back(
        {"openmpi",
         {MPIRUN_openmpi, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"},
         PROGRAM_openmpi});
#endif
#ifdef MPIRUN_mpich
    list.push_back({"mpich", {MPIRUN_mpich}, PROGRAM_mpich});
#endif
    return list;
}

/// Runs a job to its end, which has to come by itself, and looks at what is left then.
result end_of(mpi const& how, int ranks, words const& prefix, words const& arguments) {
    process job{words{"timeout", "--kill-after=2", "120"} + how.launch + words{"-n", std::to_string(ranks)} + prefix +
                words{how.program} + arguments};
    result r = job.wait();
    EXPECT_NE(r.status, 124) << "the job did not end";
    EXPECT_TRUE(job.family_gone(3)) << "processes are left";
    return r;
}

words const as_tasks{SODE_COMMAND, "task"};

class MpiTasks : public ::testing::TestWithParam<mpi> {};
INSTANTIATE_TEST_SUITE_P(by, MpiTasks, ::testing::ValuesIn(mpis()), [](auto const& i) { return i.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MpiTasks); // a machine without MPI

TEST_P(MpiTasks, ComputeTheSame) {
    bool const full = std::getenv("TEST_CASES") != nullptr; // ./check --full
    int const repeats = full ? 20 : 3;
    int jobs = 0;
    for (int const ranks : full ? std::vector{2, 3, 4, 8, 16, 32, 48, 64} : std::vector{2, 3, 4, 8, 16})
        for (int repeat = 0; repeat < (ranks > 8 && !full ? 1 : repeats) && !HasFailure(); ++repeat, ++jobs) {
            SCOPED_TRACE(fmt::format("{} ranks, repeat {}", ranks, repeat));
            result const r = end_of(GetParam(), ranks, as_tasks, {});
            EXPECT_EQ(r.status, 0) << r.err;
            EXPECT_EQ(r.out, fmt::format("{} ranks: right\n", ranks)) << r.err;
        }
    std::printf("%d jobs\n", jobs);
}

// MPICH's UCX shrinks the break of its process: of all tasks, and of the root, if the break were theirs. With 45 tasks the root's
// heap was gone.
TEST_P(MpiTasks, AreManyToo) {
    result const r = end_of(GetParam(), 48, as_tasks, {});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.out, "48 ranks: right\n");
}

TEST_P(MpiTasks, EndTheJobAsProcessesDo) {
    for (words const& how :
         {words{"--exit"}, words{"--die", "kill"}, words{"--die", "segv"}, words{"--die", "abort"}, words{"--die", "exit"}}) {
        SCOPED_TRACE(how.back());
        result const processes = end_of(GetParam(), 4, {}, how);
        result const tasks = end_of(GetParam(), 4, as_tasks, how);
        EXPECT_NE(tasks.status, 0);
        // Which of the ranks that Hydra kills it reports is chance.
        if (how.front() == "--exit") {
            EXPECT_EQ(tasks.status, processes.status) << tasks.err;
        }
    }
}

TEST_P(MpiTasks, MayLieAtRandomPlaces) {
    result const r = end_of(GetParam(), 4, as_tasks + words{"--scatter=12"}, {});
    EXPECT_EQ(r.out, "4 ranks: right\n") << r.err;
}

} // namespace
} // namespace sode::testing
