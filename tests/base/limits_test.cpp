// SPDX-License-Identifier: Apache-2.0
// Limits of the system become errors that say which limit, and what it is.
#include "base/limits.hpp"

#include "base/shared_memory.hpp"
#include "base/unique_fd.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Lowers a soft limit of this process for as long as it lives.
class lower {
public:
    lower(__rlimit_resource_t resource, rlim_t value) : resource_(resource) {
        getrlimit(resource_, &before_);
        rlimit const now{value, before_.rlim_max};
        setrlimit(resource_, &now);
    }
    ~lower() { setrlimit(resource_, &before_); }
    lower(lower const&) = delete;
    lower& operator=(lower const&) = delete;

private:
    __rlimit_resource_t resource_;
    rlimit before_{};
};

TEST(Limits, AreNamedWithWhatTheyAre) {
    lower const files{RLIMIT_NOFILE, 200};
    lower const data{RLIMIT_DATA, rlim_t{1} << 50U}; // the shadow of a sanitizer counts as data
    lower const length{RLIMIT_FSIZE, rlim_t{1} << 30U};
    EXPECT_EQ(limit_behind(EMFILE), "raise `ulimit -n` (now 200)");
    EXPECT_THAT(limit_behind(ENOMEM), AllOf(HasSubstr("`ulimit -d` (now 1099511627776, "), HasSubstr("all tasks")));
    EXPECT_THAT(limit_behind(EAGAIN), HasSubstr("`ulimit -d` (now 1099511627776, "));
    EXPECT_EQ(limit_behind(EFBIG), "raise `ulimit -f` (now 1048576)");
    EXPECT_THAT(limit_behind(EPERM), HasSubstr("sandbox"));
    EXPECT_EQ(limit_behind(EINTR), "");
}

TEST(Limits, OfProcessesAreThoseOfTheGroupAndItsParents) {
    auto const root = std::filesystem::temp_directory_path() / fmt::format("sode-limits-{}", getpid());
    auto const put = [&](std::filesystem::path const& file, std::string_view text) {
        std::filesystem::create_directories((root / file).parent_path());
        std::ofstream{root / file} << text;
    };
    EXPECT_EQ(most_processes(root), std::nullopt);
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/step/pids.max", "max\n");
    EXPECT_EQ(most_processes(root), std::nullopt);
    put("sys/fs/cgroup/job/pids.max", "40\n");
    EXPECT_EQ(most_processes(root), 40);
    put("sys/fs/cgroup/job/step/pids.max", "30\n");
    EXPECT_EQ(most_processes(root), 30);
    put("proc/self/cgroup", "7:cpu,cpuacct:/x\n5:pids:/of/host\n0::/\n");
    put("sys/fs/cgroup/pids/pids.max", "20\n");
    EXPECT_EQ(most_processes(root), 20);
    std::filesystem::remove_all(root);
}

// The signal would end this test.
TEST(Limits, OfFilesAreErrorsThatCanBeRead) {
    lower const length{RLIMIT_FSIZE, 4096};
    try {
        static_cast<void>(make_memfd("test", 100'000));
        FAIL() << "a file that is too large";
    } catch (error const& e) {
        EXPECT_THAT(e.what(), AllOf(HasSubstr("a memory file of 98 KiB cannot be created (ftruncate: File too large)"),
                                    HasSubstr("raise `ulimit -f` (now 4)")));
    }
    sigset_t pending;
    sigset_t blocked;
    sigpending(&pending);
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
    EXPECT_EQ(sigismember(&blocked, SIGXFSZ), 0);
}

} // namespace
} // namespace sode::internal
