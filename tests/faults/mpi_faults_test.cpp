// SPDX-License-Identifier: Apache-2.0
// Ranks that die under the launcher of an MPI: the job ends, with what the survivors know where they are given the time to say it,
// and nothing is left.
#include "end_of_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct mpi {
    std::string name;
    words launch;
    words keep_survivors; ///< lets ranks run on when another one has died
    words kept_after;     ///< by these deaths: Hydra ends the others nevertheless where a signal was the cause
};

std::vector<mpi> mpis() {
    std::vector<mpi> list;
#ifdef MPIRUN_openmpi
    list.push_back({"openmpi",
                    {MPIRUN_openmpi, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"},
                    {"--enable-recovery"},
                    {"kill", "abort", "exit"}});
#endif
#ifdef MPIRUN_mpich
    list.push_back({"mpich", {MPIRUN_mpich}, {"-disable-auto-cleanup"}, {"exit"}});
#endif
    return list;
}

words victim_with(words const& arguments) {
    char const* const space = std::getenv("TEST_SPACE");
    words const as_tasks = space != nullptr && space == std::string{"tasks"} ? words{SODE_COMMAND, "task"} : words{};
    return as_tasks + words{SODE_VICTIM} + arguments;
}
words victim(std::string const& how) {
    return victim_with({"--die", "1", "--by", how, "--rethrow"});
}

class MpiFaults : public ::testing::TestWithParam<mpi> {};

INSTANTIATE_TEST_SUITE_P(by, MpiFaults, ::testing::ValuesIn(mpis()), [](auto const& i) { return i.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MpiFaults); // a machine without MPI

TEST_P(MpiFaults, EndTheJob) {
    words const by_messages_only{"env", "SODE_MACHINE_SIZE=1"};
    for (auto const& settings : {words{}, by_messages_only})
        for (std::string const how : {"kill", "abort", "exit", "throw"}) {
            SCOPED_TRACE("a rank dies by " + how + (settings.empty() ? "" : ", all are machines of their own"));
            result const r = end_of_job(settings + GetParam().launch + words{"-n", "3"} + victim(how));
            EXPECT_NE(r.status, 0);
            if (how == "throw") {
                EXPECT_THAT(r.err + r.out, HasSubstr("this rank was told to throw"));
            }
        }
}

TEST(DroppedExchange, IsNoSuccessIfItFails) {
    result const r = end_of_job({SODE_COMMAND, "run", "-n", "2", SODE_VICTIM, "--leave", "1"});
    EXPECT_EQ(r.status, 1) << "main() returned 0";
    EXPECT_THAT(r.err, HasSubstr("sode: error: rank 0: rank 1 has terminated: exited with status 0"));
}

TEST_P(MpiFaults, AreToldToSurvivorsOnTheirMachine) {
    for (auto const& how : GetParam().kept_after) {
        SCOPED_TRACE("a rank dies by " + how);
        result const r = end_of_job(GetParam().launch + GetParam().keep_survivors + words{"-n", "3"} + victim(how));
        for (std::string const survivor : {"told 0 ", "told 2 "}) EXPECT_EQ(count(r.out, survivor), 1) << r.out << r.err;
        // Who gets a core late may hear first of the other survivor, who has been told, and has left.
        EXPECT_GE(count(r.out, "rank 1 has terminated"), 1) << r.out;
        EXPECT_EQ(count(r.out, " has terminated"), 2) << r.out;
        EXPECT_EQ(count(r.out, "halo of \"u\""), 2) << r.out;
    }
}

TEST_P(MpiFaults, EndTheJobOnAllHosts) {
    auto const& name = GetParam().name;
    words const hosts{SODE_HOSTS "/with-hosts", "2", SODE_HOSTS "/mpirun", name, "2", "2"};
    // Hydra 4.0.2 does not always end the job itself when a rank of another host dies without a word.
    for (auto const& how : name == "mpich" ? words{"throw"} : words{"kill", "exit", "throw"}) {
        SCOPED_TRACE("a rank dies by " + how);
        result const r = end_of_job(hosts + victim(how));
        if (r.status == 77) GTEST_SKIP() << r.out;
        EXPECT_NE(r.status, 0);
        EXPECT_THAT(r.out, Not(HasSubstr("left behind")));
        EXPECT_GE(count(r.out, "begun"), 1) << r.out << r.err;
    }
}

// Not a death, but as silent without the check: ranks that wait for each other in different exchanges.
TEST_P(MpiFaults, ExchangesInDifferentOrdersEndTheJob) {
    words const check{"env", "SODE_CHECK=collective", "SODE_TIMEOUT=60"};
    for (words const& channel : {words{}, words{"SODE_CHANNEL=mpi"}}) {
        result const r = end_of_job(check + channel + GetParam().launch + words{"-n", "2"} + victim_with({"--confused"}));
        EXPECT_NE(r.status, 0);
        EXPECT_THAT(r.out + r.err, HasSubstr("rank 0 waits for rank 1, which will never arrive"));
        EXPECT_THAT(r.out + r.err, HasSubstr("in epoch 4 of halo of \"a\""));
        EXPECT_THAT(r.out + r.err, HasSubstr("in epoch 4 of halo of \"b\""));
    }
}

} // namespace
} // namespace sode::internal::testing
