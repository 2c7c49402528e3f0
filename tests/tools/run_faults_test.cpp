// SPDX-License-Identifier: Apache-2.0
// `sode run`: nothing is left, and everybody learns why, whoever dies.
#include "base/clock.hpp"
#include "support/process.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

void sleep_ms(double ms) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>{ms});
}

// The time at which each survivor reported, from its own clock.
std::vector<double> reports(std::string const& errors) {
    std::vector<double> times;
    std::istringstream text{errors};
    for (std::string line; std::getline(text, line);)
        if (line.find(" terminated before ") != std::string::npos) times.push_back(std::stod(line));
    return times;
}

TEST(RunFaults, AKilledRankIsToldToTheOthers) {
    unsigned const seed = 20240601;
    std::mt19937 random(seed);
    for (int round = 0; round < 30; ++round) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
        int const n = 2 + static_cast<int>(random() % 4);
        process job{ranks(n, {"busy"})};
        ASSERT_TRUE(job.said("rank ", n));
        sleep_ms(static_cast<double>(random() % 20000) / 1000.0);
        auto const victims = job.family("rank_program");
        ASSERT_EQ(victims.size(), static_cast<std::size_t>(n));
        double const killed = now_s();
        kill(victims[random() % victims.size()], SIGKILL);
        result const r = job.wait();
        EXPECT_EQ(r.status, 128 + SIGKILL);
        EXPECT_THAT(r.err, HasSubstr("was killed by signal 9 (Killed)"));
        auto const times = reports(r.err);
        EXPECT_EQ(times.size(), static_cast<std::size_t>(n - 1)) << r.err;
        for (double const t : times) EXPECT_GT(t, killed);
        EXPECT_TRUE(job.family_gone(0.0));
    }
}

// Any moment: also before ranks have joined, and before all have been started.
TEST(RunFaults, NothingIsLeftWhenAnyProcessDiesAtAnyMoment) {
    unsigned const seed = 20240602;
    std::mt19937 random(seed);
    for (int round = 0; round < 40; ++round) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round));
        process job{ranks(4, {"busy"})};
        std::vector<pid_t> victims;
        sleep_ms(static_cast<double>(random() % 25000) / 1000.0);
        while (victims.empty()) { // the front itself, the keeper, a rank, or what is about to be one
            victims = job.family();
            victims.push_back(job.pid());
        }
        kill(victims[random() % victims.size()], SIGKILL);
        if (!job.family_gone(10.0)) {
            // A process that tried something for the launcher was about to end by itself, so nothing was lost: the job goes on.
            EXPECT_NE(std::getenv("TEST_SPACE"), nullptr) << "processes are left";
            kill(job.pid(), SIGKILL);
            EXPECT_TRUE(job.family_gone(60.0));
        }
        result const r = job.wait();
        // What is killed while it tries whether ranks can be tasks says that they cannot.
        bool const refused =
            std::getenv("TEST_SPACE") != nullptr && r.err.find("ranks cannot be tasks on this machine") != std::string::npos;
        EXPECT_EQ(r.status, refused ? 126 : 128 + SIGKILL) << r.err;
    }
}

TEST(RunFaults, KillingTheLauncherLeavesNoDescendant) {
    // A rank behind a shell, a child in the background, and one that has left the session.
    std::string const family = "sleep 1000 & setsid sleep 1000 & " RANK_PROGRAM " busy; true";
    process job{sode_command({"run", "-n", "2", "sh", "-c", family})};
    ASSERT_TRUE(job.said("rank ", 2));
    ASSERT_TRUE(job.family_reaches("sleep", 4));
    kill(job.pid(), SIGKILL);
    EXPECT_TRUE(job.family_gone(60.0));
}

TEST(RunFaults, KillingTheKeeperLeavesNoDescendant) {
    std::string const family = "sleep 1000 & setsid sleep 1000 & " RANK_PROGRAM " busy; true";
    process job{sode_command({"run", "-n", "2", "sh", "-c", family})};
    ASSERT_TRUE(job.said("rank ", 2));
    ASSERT_TRUE(job.family_reaches("sleep", 4));
    auto const keeper = job.family("sode");
    ASSERT_EQ(keeper.size(), 1U);
    kill(keeper[0], SIGKILL);
    result const r = job.wait();
    EXPECT_EQ(r.status, 128 + SIGKILL);
    EXPECT_THAT(r.err, HasSubstr("the process that supervises the job was killed by signal 9"));
    EXPECT_TRUE(job.family_gone(0.0)) << "the launcher returns only when all have ended";
}

TEST(RunFaults, AnEndedJobLeavesNoDescendant) {
    process job{sode_command({"run", "-n", "2", "sh", "-c", "sleep 1000 & setsid sleep 1000 & sleep 0.2; exit 0"})};
    EXPECT_EQ(job.wait().status, 0);
    EXPECT_TRUE(job.family_gone(0.0));
}

TEST(RunFaults, AKilledRanksChildrenDieWithIt) {
    process job{sode_command({"run", "-n", "1", "sh", "-c", "sleep 1000 & echo ready; wait"})};
    ASSERT_TRUE(job.said("ready"));
    kill(job.family("sh").at(0), SIGKILL);
    EXPECT_EQ(job.wait().status, 128 + SIGKILL);
    EXPECT_TRUE(job.family_gone(0.0));
}

TEST(RunFaults, StubbornRanksAreKilledAfterTheirGrace) {
    process job{ranks(3, {"stubborn", "1", "5"})};
    result const r = job.wait();
    EXPECT_EQ(r.status, 5);
    EXPECT_GT(r.seconds, 2.9);
    EXPECT_EQ(count(r.out, " got 15\n"), 2) << "they were asked first";
    EXPECT_TRUE(job.family_gone(0.0));
}

// Who is slower than the grace of two seconds, test or job, has seen nothing, and tries again.
TEST(RunFaults, ASecondSignalEndsTheGrace) {
    auto command = ranks(2, {"stubborn", "1", "5"});
    command.insert(command.begin(), {"sh", "-c", R"(exec "$0" "$@" 2>&1)"});
    bool ended_early = false;
    for (int round = 0; round < 20 && !ended_early; ++round) {
        process job{command};
        ASSERT_TRUE(job.said("rank 1 exited with status 5"));
        kill(job.pid(), SIGTERM); // in the grace that rank 1's exit has begun
        result const r = job.wait();
        EXPECT_EQ(r.status, 5);
        ended_early = r.seconds < 2;
        EXPECT_TRUE(!ended_early || count(r.out, " got 15\n") == 0) << "who is in a hurry does not ask";
    }
    EXPECT_TRUE(ended_early);
}

// What the process has mapped or opened below /dev/shm, where others may come and go.
std::vector<std::string> shared_files_of(pid_t pid) {
    std::vector<std::string> found;
    std::string const folder = "/dev/shm/", process = "/proc/" + std::to_string(pid);
    std::ifstream maps{process + "/maps"};
    for (std::string line; std::getline(maps, line);)
        if (auto const at = line.find(folder); at != std::string::npos) found.push_back(line.substr(at));
    std::error_code gone;
    for (auto const& fd : std::filesystem::directory_iterator{process + "/fd", gone})
        if (auto const file = std::filesystem::read_symlink(fd, gone).string(); file.starts_with(folder)) found.push_back(file);
    return found;
}

TEST(RunFaults, LeavesNoFilesInSharedMemory) {
    process job{ranks(2, {"busy"})};
    ASSERT_TRUE(job.said("rank ", 2));
    auto family = job.family();
    EXPECT_GE(family.size(), 2U);
    family.push_back(job.pid());
    for (pid_t const pid : family) EXPECT_THAT(shared_files_of(pid), ::testing::IsEmpty()) << "job memory has no name at all";
    kill(job.pid(), SIGKILL);
    EXPECT_TRUE(job.family_gone(60.0));
}

} // namespace
} // namespace sode::internal::testing
