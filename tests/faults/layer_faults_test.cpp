// SPDX-License-Identifier: Apache-2.0
// A rank of an MPI program that dies while the layer moves messages of it, at a moment that nobody chose: survivors get an error or
// wait for MPI, none of them hangs in a copy, and nothing is left.
#include "end_of_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

struct layer {
    std::string name;
    words launch;
    words keep_survivors;
    std::string how; ///< deaths after which its launcher lets the others live
    std::string library;
    std::string victim;
};

std::vector<layer> layers() {
    std::vector<layer> list;
#ifdef LAYER_openmpi
    list.push_back(
        {"openmpi",
         {MPIRUN_openmpi, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "--mca", "mpi_yield_when_idle", "1"},
         {"--enable-recovery"},
         "kill",
         LAYER_openmpi,
         VICTIM_openmpi});
#endif
#ifdef LAYER_mpich
    list.push_back({"mpich", {MPIRUN_mpich}, {"-disable-auto-cleanup"}, "exit", LAYER_mpich, VICTIM_mpich});
#endif
    return list;
}

bool as_tasks() {
    char const* const space = std::getenv("TEST_SPACE");
    return space != nullptr && space == std::string{"tasks"};
}

std::vector<std::string> paths() {
    return as_tasks() ? std::vector<std::string>{"direct", "both", "push", "staged"} : std::vector<std::string>{"staged"};
}

// For each path and role. Tasks have four paths.
int rounds() {
    char const* const asked = std::getenv("TEST_KILLS");
    return asked != nullptr ? std::max(1, std::atoi(asked) / 10) : as_tasks() ? 2 : 4;
}

result end_of(layer const& l, std::string const& path, std::string const& role, int after_us, bool keep_survivors) {
    words const program = (as_tasks() ? words{SODE_COMMAND, "task"} : words{}) + words{l.victim};
    return end_of_job(l.launch + (keep_survivors ? l.keep_survivors : words{}) +
                      words{"-n", "2", "env", "LD_PRELOAD=" + l.library, "SODE_MPI_PATH=" + path, "ROLE=" + role,
                            "AFTER_US=" + std::to_string(after_us), "HOW=" + (keep_survivors ? l.how : std::string{"kill"})} +
                      program);
}

class LayerFaults : public ::testing::TestWithParam<layer> {};

INSTANTIATE_TEST_SUITE_P(by, LayerFaults, ::testing::ValuesIn(layers()), [](auto const& i) { return i.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(LayerFaults); // a machine without MPI

TEST_P(LayerFaults, SurvivorsAreToldOrWaitForMpi) {
    std::mt19937 g{20261120};
    std::uniform_int_distribution<int> when{1'000, 60'000};
    int told = 0, jobs = 0;
    for (auto const& path : paths())
        for (std::string const role : {"sender", "receiver"})
            for (int round = 0; round < rounds(); ++round) {
                int const after = when(g);
                SCOPED_TRACE(path + ", the " + role + " dies after " + std::to_string(after) + " us");
                result const r = end_of(GetParam(), path, role, after, true);
                EXPECT_EQ(count(r.out, "survivor told a rank on this machine terminated") + count(r.out, "survivor alone") +
                              count(r.out, "survivor done"),
                          1)
                    << r.out << r.err;
                if (count(r.out, "survivor told") > 0) {
                    EXPECT_THAT(r.err + r.out, HasSubstr("rank 1 terminated while this rank "));
                    ++told;
                }
                ++jobs;
            }
    std::printf("%d of %d survivors were in a copy, seed 20261120\n", told, jobs);
}

// Each side copies its own half of a staged message, so only the one that dies meets the page that it has closed.
TEST_P(LayerFaults, ASurvivorInACopyIsTold) {
    constexpr int in_the_copy = -1;
    result const r = end_of(GetParam(), "staged", "sender", in_the_copy, true);
    EXPECT_EQ(count(r.out, "survivor told a rank on this machine terminated"), 1) << r.out << r.err;
    EXPECT_THAT(r.err + r.out, HasSubstr("rank 1 terminated while this rank"));
}

// As users start it: the launcher ends what is left of the job.
TEST_P(LayerFaults, EndTheJob) {
    std::mt19937 g{7};
    std::uniform_int_distribution<int> when{1'000, 60'000};
    for (auto const& path : paths()) {
        int const after = when(g);
        SCOPED_TRACE(path + ", the sender dies after " + std::to_string(after) + " us");
        EXPECT_NE(end_of(GetParam(), path, "sender", after, false).status, 0);
    }
}

} // namespace
} // namespace sode::internal::testing
