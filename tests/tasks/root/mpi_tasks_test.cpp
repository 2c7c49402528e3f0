// SPDX-License-Identifier: Apache-2.0
// Unmodified MPI programs as tasks, under their own launchers.
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tuple>

namespace sode::internal::testing {
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
    process job{words{"timeout", "--kill-after=2", "900"} + how.launch + words{"-n", std::to_string(ranks)} + prefix +
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

/// How often: TEST_REPEATS; ./check --full asks for 20. A few times otherwise, and not with more ranks than that takes seconds for.
int repeats(int ranks) {
    if (char const* const asked = std::getenv("TEST_REPEATS")) return std::atoi(asked);
    return ranks <= 8 ? 3 : ranks == 16 || ranks == 48 ? 1 : 0;
}

// With 48: MPICH's UCX shrinks the break of its process; of all tasks and of the root, if the break were theirs. With 45 tasks the
// root's heap was gone.
class MpiTasksOfSize : public ::testing::TestWithParam<std::tuple<mpi, int>> {};
INSTANTIATE_TEST_SUITE_P(by, MpiTasksOfSize,
                         ::testing::Combine(::testing::ValuesIn(mpis()), ::testing::Values(2, 3, 4, 8, 16, 32, 48, 64)),
                         [](auto const& i) { return fmt::format("{}_{}", std::get<0>(i.param).name, std::get<1>(i.param)); });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MpiTasksOfSize); // a machine without MPI

TEST_P(MpiTasksOfSize, ComputeTheSame) {
    auto const& [how, ranks] = GetParam();
    int const jobs = repeats(ranks);
    if (jobs == 0) GTEST_SKIP() << "TEST_REPEATS says how often";
    auto const begun = std::chrono::steady_clock::now();
    for (int repeat = 0; repeat < jobs && !HasFailure(); ++repeat) {
        SCOPED_TRACE(fmt::format("repeat {}", repeat));
        result const r = end_of(how, ranks, as_tasks, {});
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_EQ(r.out, fmt::format("{} ranks: right\n", ranks)) << r.err;
    }
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begun;
    std::printf("%d jobs, %.2f s each\n", jobs, took.count() / jobs);
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
} // namespace sode::internal::testing
