// SPDX-License-Identifier: Apache-2.0
// `sode task` and another user of the machine, who sees the names of all sockets and may take any that is free.
#include "tasks/root/abstract_socket.hpp"
#include "tasks/root/job_key.hpp"
#include "tasks/root/user_keyring.hpp"
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

constexpr uid_t another_user = 65534;

/// The names of the sockets at which a process listens, as everybody can read them.
std::vector<std::string> socket_names_of(pid_t pid) {
    std::vector<std::string> own;
    std::error_code gone;
    for (auto const& entry : std::filesystem::directory_iterator{fmt::format("/proc/{}/fd", pid), gone})
        own.push_back(std::filesystem::read_symlink(entry, gone).string());
    std::vector<std::string> names;
    std::ifstream table{"/proc/net/unix"};
    for (std::string line; std::getline(table, line);) {
        std::istringstream columns{line};
        std::string skipped, inode, path;
        columns >> skipped >> skipped >> skipped >> skipped >> skipped >> skipped >> inode >> path;
        if (path.starts_with('@') && std::find(own.begin(), own.end(), fmt::format("socket:[{}]", inode)) != own.end())
            names.push_back(path.substr(1));
    }
    return names;
}

/// A root that has nothing more to do goes a moment after its last task.
bool eventually_free(std::string const& name) {
    for (int tried = 0; tried < 1000; ++tried) {
        if (tasks::listen_at(name)) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return false;
}

/// A process of another user that holds the name of a socket for as long as it lives.
class squatter {
public:
    squatter(std::string const& name, bool listens, int kind = SOCK_SEQPACKET) {
        int ends[2];
        if (pipe(ends) != 0) return;
        pid_ = fork();
        if (pid_ == 0) {
            unique_fd const socket{::socket(AF_UNIX, kind, 0)};
            auto const where = tasks::abstract_address(name);
            char const holds = setuid(another_user) == 0 && bind(socket.get(), where.get(), where.bytes) == 0 &&
                                       (!listens || listen(socket.get(), 50) == 0)
                                   ? 'y'
                                   : 'n';
            // A listener belongs to who made it a listener, so that comes last.
            static_cast<void>(!write(ends[1], &holds, 1));
            for (;;) pause();
        }
        close(ends[1]);
        char answer = 'n';
        holds_ = read(ends[0], &answer, 1) == 1 && answer == 'y';
        close(ends[0]);
    }
    ~squatter() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    squatter(squatter const&) = delete;
    squatter& operator=(squatter const&) = delete;
    [[nodiscard]] bool holds() const noexcept { return holds_; }

private:
    pid_t pid_ = -1;
    bool holds_ = false;
};

class AnotherUser : public ::testing::Test {
protected:
    void SetUp() override {
        if (geteuid() != 0) GTEST_SKIP() << "only root can become another user";
        static int jobs = 0;
        job_ = fmt::format("hostile-test-{}-{}", getpid(), ++jobs);
    }
    /// Ranks of one job, whose parents need not be the same.
    [[nodiscard]] words rank(words const& what, words const& before = {}) const {
        return words{"env", "PMIX_NAMESPACE=" + job_} + before + words{SODE_COMMAND, "task", WHO} + what;
    }
    /// As the ranks themselves come to it.
    [[nodiscard]] std::string job_name() const {
        setenv("PMIX_NAMESPACE", job_.c_str(), 1);
        auto name = tasks::job_name(tasks::own_job_key());
        unsetenv("PMIX_NAMESPACE");
        return name;
    }
    /// Runs a rank to its end; what could be seen meanwhile.
    [[nodiscard]] std::string name_that_was_seen() const {
        process first{rank({"wait"})};
        EXPECT_TRUE(first.said("pid"));
        auto const roots = first.family("sode-root");
        if (roots.size() != 1) return {};
        auto const names = socket_names_of(roots.front());
        kill(first.pid(), SIGKILL);
        EXPECT_TRUE(first.family_gone(5));
        return names.empty() ? std::string{} : names.front();
    }

private:
    std::string job_;
};

TEST_F(AnotherUser, WhoListensWhereARootHasBeenIsPassedBy) {
    auto const name = name_that_was_seen();
    squatter const other{name, true};
    ASSERT_TRUE(other.holds()) << name;
    result const r = process{rank({"exit", "0"})}.wait();
    EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(AnotherUser, WhoOnlyTakesTheNameIsPassedBy) {
    for (int const kind : {SOCK_SEQPACKET, SOCK_STREAM}) {
        auto const name = name_that_was_seen();
        squatter const other{name, false, kind};
        ASSERT_TRUE(other.holds()) << name;
        result const r = process{rank({"exit", "0"})}.wait();
        EXPECT_EQ(r.status, 0) << r.err;
    }
}

TEST_F(AnotherUser, CannotTakeANameThatFollowsFromTheJob) {
    squatter const other{job_name(), true};
    ASSERT_TRUE(other.holds());
    result const r = process{rank({"exit", "0"})}.wait();
    EXPECT_EQ(r.status, 0) << r.err;
}

TEST_F(AnotherUser, IsNamedWhereThereIsNoKeyring) {
    words const sandbox{DENY_CALL, std::to_string(SYS_add_key), std::to_string(EPERM)};
    result const fine = process{rank({"exit", "0"}, sandbox)}.wait();
    EXPECT_EQ(fine.status, 0) << fine.err;
    EXPECT_TRUE(eventually_free(job_name()));
    squatter const other{job_name(), true};
    ASSERT_TRUE(other.holds());
    result const r = process{rank({"exit", "0"}, sandbox)}.wait();
    EXPECT_EQ(r.status, 125);
    EXPECT_THAT(r.err, HasSubstr(fmt::format("user {} has taken the socket @{}", another_user, job_name())));
}

TEST_F(AnotherUser, HidesNoTasksFromTheDebugger) {
    squatter const other{tasks::socket_name_prefix() + "0", true};
    ASSERT_TRUE(other.holds());
    process first{rank({"wait"})};
    ASSERT_TRUE(first.said("pid"));
    result const r = sode({"gdb"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr(WHO));
}

TEST_F(AnotherUser, FindsNoNameThatEndedWithItsRoot) {
    process first{rank({"wait"})};
    ASSERT_TRUE(first.said("pid"));
    auto const key = tasks::user_keyring::find(job_name());
    ASSERT_TRUE(key);
    EXPECT_THAT(socket_names_of(first.family("sode-root").at(0)), ::testing::Each(key->text)) << "the listener and its connections";
    kill(first.pid(), SIGKILL);
    EXPECT_TRUE(first.family_gone(5));
    EXPECT_FALSE(tasks::user_keyring::find(job_name()));
}

TEST(UserKeyring, HasOneKeyOfAName) {
    auto const name = fmt::format("sode-test-{}", getpid());
    if (!tasks::user_keyring::make(name, "first")) GTEST_SKIP() << "there is no keyring";
    EXPECT_FALSE(tasks::user_keyring::make(name, "second"));
    auto const key = tasks::user_keyring::find(name);
    ASSERT_TRUE(key);
    EXPECT_EQ(key->text, "first");
    tasks::user_keyring::remove(name, key->serial);
    EXPECT_FALSE(tasks::user_keyring::find(name));
    EXPECT_TRUE(tasks::user_keyring::make(name, "third"));
    tasks::user_keyring::remove(name, key->serial); // long gone
    auto const later = tasks::user_keyring::find(name);
    ASSERT_TRUE(later);
    EXPECT_EQ(later->text, "third");
    tasks::user_keyring::remove(name, later->serial);
}

} // namespace
} // namespace sode::internal::testing
