// SPDX-License-Identifier: Apache-2.0
// Ranks killed at random moments: the others are told which one and in what; the job fails; nothing is left.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <csignal>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

double now() {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

struct told {
    double when = 0;
    double waited = 0;
    std::string what;

    // It need not be the rank that died: another one has heard of that before, and left.
    [[nodiscard]] bool names_who_left() const {
        return std::ranges::any_of(
            std::array{" has terminated: ", " terminated in the middle of ", " terminated before it reached "},
            [&](char const* words) { return what.find(words) != std::string::npos; });
    }
};

// A job of `victim` under `sode run`, with its output.
class job {
public:
    job(int ranks, std::vector<std::string> const& more = {},
        std::vector<std::pair<std::string, std::string>> const& environment = {}) {
        int ends[2];
        if (pipe(ends) != 0) throw std::runtime_error{"pipe"};
        launcher_ = fork();
        if (launcher_ == 0) {
            dup2(ends[1], 1);
            dup2(ends[1], 2);
            close(ends[0]);
            close(ends[1]);
            for (auto const& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
            char const* const space = std::getenv("TEST_SPACE");
            std::vector<std::string> words{
                SODE_COMMAND, "run",      fmt::format("--space={}", space ? space : "processes"), "-n", std::to_string(ranks),
                "--",         SODE_VICTIM};
            words.insert(words.end(), more.begin(), more.end());
            std::vector<char*> argv;
            for (auto& w : words) argv.push_back(w.data());
            argv.push_back(nullptr);
            execv(argv[0], argv.data());
            _exit(127);
        }
        close(ends[1]);
        out_ = fdopen(ends[0], "r");
        for (std::string line; static_cast<int>(pids.size()) < ranks && next(line);) {
            std::istringstream words{line};
            std::string verb;
            int rank = 0, pid = 0;
            if (words >> verb >> rank >> pid && verb == "begun") pids[rank] = pid;
        }
    }
    ~job() {
        if (out_) fclose(out_);
        if (launcher_ > 0 && status_ < 0) {
            ::kill(launcher_, SIGKILL);
            waitpid(launcher_, nullptr, 0);
        }
    }
    job(job const&) = delete;
    job& operator=(job const&) = delete;

    // Reads to the end of the job; what each rank was told.
    std::map<int, told> finish() {
        std::map<int, told> heard;
        for (std::string line; next(line);) {
            std::istringstream words{line};
            std::string verb;
            int rank = 0;
            told t;
            if (!(words >> verb >> rank >> t.when >> t.waited) || verb != "told") {
                others += line;
                continue;
            }
            std::getline(words, t.what);
            heard[rank] = t;
        }
        waitpid(launcher_, &status_, 0);
        return heard;
    }
    [[nodiscard]] int status() const { return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_); }

    std::map<int, int> pids;
    std::string others; ///< lines that are no rank's report

private:
    bool next(std::string& line) {
        char buffer[4096];
        if (!fgets(buffer, sizeof buffer, out_)) return false;
        line = buffer;
        return true;
    }
    pid_t launcher_ = -1;
    FILE* out_ = nullptr;
    int status_ = -1;
};

/// Files and sockets of this library on this machine, whoever they belong to.
std::set<std::string> names_here() {
    std::set<std::string> names;
    for (auto const& entry : fs::directory_iterator{"/dev/shm"})
        if (auto const name = entry.path().string(); name.find("sode") != std::string::npos) names.insert(name);
    std::ifstream sockets{"/proc/net/unix"};
    for (std::string line; std::getline(sockets, line);) {
        auto const at = line.find("@sode");
        // Those of tasks are gone with their processes.
        if (at != std::string::npos && line.find("@sode-tasks-") == std::string::npos) names.insert(line.substr(at));
    }
    return names;
}

void expect_nothing_left(job const& j) {
    for (auto const& [rank, pid] : j.pids) EXPECT_NE(::kill(pid, 0), 0) << "rank " << rank << " still runs";
    // What other jobs of this machine have goes again; what this one had left would stay.
    auto left = names_here();
    for (int i = 0; i < 3000 && !left.empty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds{10});
        auto const still = names_here();
        std::erase_if(left, [&](std::string const& name) { return !still.contains(name); });
    }
    EXPECT_TRUE(left.empty()) << *left.begin() << " is left";
}

constexpr int exit_signal = SIGUSR2; // the victim exits with status 3

void kill_ranks(int usual, std::vector<std::string> const& how,
                std::vector<std::pair<std::string, std::string>> const& settings = {}) {
    auto const* const more = std::getenv("TEST_KILLS");
    int const kills = more ? std::atoi(more) : usual;
    auto const* const size = std::getenv("TEST_RANKS"); // of every job; else they are of all sizes
    // Seconds within which they must hear of it. None by default: how soon a rank gets a core is the machine's affair.
    auto const* const limit = std::getenv("TEST_NOTICE_S");
    double const limit_s = limit ? std::atof(limit) : 0;
    std::mt19937 random{20260102};
    double worst = 0;
    for (int k = 0; k < kills && !::testing::Test::HasFailure(); ++k) {
        int const any = 2 + static_cast<int>(random() % 7);
        int const ranks = size ? std::atoi(size) : any;
        job j{ranks, how, settings};
        ASSERT_EQ(static_cast<int>(j.pids.size()), ranks);
        int const victim = static_cast<int>(random() % static_cast<unsigned>(ranks));
        std::this_thread::sleep_for(std::chrono::microseconds{random() % 20000});
        int const signal = std::array{SIGKILL, SIGKILL, SIGSEGV, SIGABRT, exit_signal}[random() % 5];
        double const death = now();
        ASSERT_EQ(::kill(j.pids[victim], signal), 0);
        auto const heard = j.finish();
        auto const label = fmt::format("death {}: rank {} of {} by signal {}", k, victim, ranks, signal);
        EXPECT_EQ(static_cast<int>(heard.size()), ranks - 1) << label;
        int naming = 0;
        for (auto const& [rank, t] : heard) {
            // The later of the death and the rank's own wait.
            double const late = std::min(t.when - death, t.waited);
            worst = std::max(worst, late);
            if (limit_s > 0) {
                EXPECT_LT(late, limit_s) << label << ", rank " << rank;
            }
            // Who is no neighbour of the dead may hear first of a rank that has been told, and has left.
            bool const named = t.what.find(fmt::format("rank {} ", victim)) != std::string::npos;
            naming += named ? 1 : 0;
            EXPECT_TRUE(named || t.names_who_left()) << label << ": " << t.what;
            // The first reduction is planned by all ranks together, in a reduction, and the death may fall into that or before it.
            auto const said = [&what = t.what](char const* words) { return what.find(words) != std::string::npos; };
            bool const in_what = said("halo of \"u\"") || said("8 steps of \"u\"") || said("march()") || said("reduce") ||
                                 said("terminated before it reached") || said("terminated in the middle of a reduction");
            EXPECT_TRUE(in_what) << label << ": " << t.what;
        }
        EXPECT_GE(naming, 1) << label;
        EXPECT_EQ(j.status(), signal == exit_signal ? 3 : 128 + signal) << label;
        expect_nothing_left(j);
    }
    std::printf("%d kills, the slowest notice took %.3f s\n", kills, worst);
}

TEST(faults, a_dead_rank_is_reported_by_all_others) {
    kill_ranks(20, {});
}

TEST(faults, a_dead_rank_is_reported_in_a_march) {
    kill_ranks(10, {"--march"});
}

TEST(faults, a_dead_rank_is_reported_where_ranks_hand_each_other_rows) {
    kill_ranks(6, {"--column"}, {{"SODE_PROFILE", SODE_SOURCE_DIR "/tests/array/levels_cost_nothing.json"}});
}

TEST(faults, other_deaths_too) {
    for (int signal : {SIGSEGV, SIGABRT, SIGTERM}) {
        job j{3};
        ASSERT_EQ(j.pids.size(), 3U);
        ASSERT_EQ(::kill(j.pids[1], signal), 0);
        auto const heard = j.finish();
        EXPECT_EQ(heard.size(), 2U) << signal;
        int naming = 0;
        for (auto const& [rank, t] : heard) {
            bool const named = t.what.find("rank 1 ") != std::string::npos;
            naming += named ? 1 : 0;
            EXPECT_TRUE(named || t.names_who_left()) << t.what;
        }
        EXPECT_GE(naming, 1) << signal;
        EXPECT_EQ(j.status(), 128 + signal);
        expect_nothing_left(j);
    }
}

TEST(faults, a_rank_that_hangs_is_an_error_only_with_a_deadline) {
    job j{3, {"--hang", "1"}, {{"SODE_TIMEOUT", "3"}, {"SODE_WARN", "0.3"}}};
    ASSERT_EQ(j.pids.size(), 3U);
    auto const heard = j.finish();
    EXPECT_GE(heard.size(), 1U);
    bool named = false;
    for (auto const& [rank, t] : heard)
        named |= t.what.find("for rank 1 ") != std::string::npos && t.what.find("SODE_TIMEOUT") != std::string::npos;
    EXPECT_TRUE(named);
    // Whoever waits says so before it gives up.
    EXPECT_NE(j.others.find(" s for rank 1 in epoch "), std::string::npos) << j.others;
    EXPECT_NE(j.status(), 0);
    expect_nothing_left(j);
}

TEST(faults, exchanges_in_different_orders_are_told) {
    for (int const ranks : {2, 3, 4}) {
        job j{ranks, {"--confused"}, {{"SODE_CHECK", "collective"}, {"SODE_TIMEOUT", "60"}}};
        static_cast<void>(j.finish());
        EXPECT_NE(j.status(), 0);
        for (std::string const part : {"which will never arrive", "in epoch 4 of halo of \"a\"", "in epoch 4 of halo of \"b\""})
            EXPECT_NE(j.others.find(part), std::string::npos) << j.others;
        expect_nothing_left(j);
    }
}

} // namespace
