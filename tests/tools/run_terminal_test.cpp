// SPDX-License-Identifier: Apache-2.0
// `sode run` at a terminal: rank 0 gets what is typed, control characters reach all ranks.
#include "base/clock.hpp"
#include "support/process.hpp"

#include <array>
#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>

namespace sode::internal::testing {
namespace {

/// A command at a terminal of its own.
class terminal {
public:
    explicit terminal(std::vector<std::string> const& command) {
        int fd = -1;
        pid_ = forkpty(&fd, nullptr, nullptr, nullptr);
        if (pid_ == 0) {
            std::vector<char*> words;
            for (std::string const& word : command) words.push_back(const_cast<char*>(word.c_str()));
            words.push_back(nullptr);
            execvp(words[0], words.data());
            _exit(127);
        }
        master_ = unique_fd{fd};
    }
    terminal(terminal const&) = delete;
    terminal& operator=(terminal const&) = delete;
    ~terminal() {
        if (pid_ < 0) return;
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }

    void type(std::string const& text) const {
        EXPECT_EQ(write(master_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }

    bool shows(std::string const& text, int times = 1) {
        double const end = now_s() + 60;
        while (count(screen_, text) < times && now_s() < end) read_some();
        return count(screen_, text) >= times;
    }

    int wait() {
        int status = 0;
        while (waitpid(pid_, &status, WNOHANG) == 0) read_some();
        while (read_some()) {
        } // its last words may still be on their way through the terminal
        pid_ = -1;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

    [[nodiscard]] std::string const& screen() const { return screen_; }

private:
    bool read_some() {
        pollfd p{master_.get(), POLLIN, 0};
        std::array<char, 4096> buffer;
        if (poll(&p, 1, 20) <= 0) return false;
        ssize_t const got = read(master_.get(), buffer.data(), buffer.size());
        if (got > 0) screen_.append(buffer.data(), static_cast<std::size_t>(got));
        return got > 0;
    }

    pid_t pid_ = -1;
    unique_fd master_;
    std::string screen_;
};

TEST(RunTerminal, WhatIsTypedGoesToRankZero) {
    terminal t{ranks(2, {"echo"})};
    ASSERT_TRUE(t.shows("rank 0 listens"));
    t.type("hello\n");
    EXPECT_TRUE(t.shows("rank 0 read hello"));
    t.type("again\n");
    EXPECT_TRUE(t.shows("rank 0 read again"));
    t.type("\x04");
    EXPECT_EQ(t.wait(), 0);
    EXPECT_EQ(count(t.screen(), "end of input"), 2) << t.screen();
}

TEST(RunTerminal, InterruptReachesEveryRankOnce) {
    terminal t{ranks(3, {"signals"})};
    ASSERT_TRUE(t.shows("ready", 3));
    t.type("\x03");
    EXPECT_TRUE(t.shows(" got 2", 3));
    t.type("\x1c"); // SIGQUIT
    EXPECT_EQ(t.wait(), 0);
    EXPECT_EQ(count(t.screen(), " got 2\r"), 3) << t.screen();
    EXPECT_EQ(count(t.screen(), " got 3\r"), 3) << t.screen();
}

TEST(RunTerminal, RanksMayWriteWhereTheBackgroundMayNot) {
    terminal t{{"sh", "-c", "stty tostop; exec " SODE_COMMAND " run -n 2 " RANK_PROGRAM " identity"}};
    EXPECT_EQ(t.wait(), 0);
    EXPECT_EQ(count(t.screen(), "by sode run"), 2) << t.screen();
}

} // namespace
} // namespace sode::internal::testing
