// SPDX-License-Identifier: Apache-2.0
// How a rank finds its job: alone or in the place that `sode run` announced, once, and by the same version.
#include "base/bootstraps.hpp"

#include "base/board.hpp"
#include "base/fd_message.hpp"
#include "base/job_control.hpp"
#include "base/machine_share.hpp"

#include <sode/error.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal {
namespace {

using ::testing::HasSubstr;

TEST(AloneBootstrap, IsAJobOfOne) {
    auto const boot = make_bootstrap();
    EXPECT_EQ(boot->name(), "alone");
    EXPECT_EQ(boot->rank(), 0);
    EXPECT_EQ(boot->size(), 1);
    EXPECT_EQ(boot->machines(), std::vector<int>{0});
    int const mine = 42;
    int all = 0;
    boot->allgather(&mine, sizeof mine, &all);
    EXPECT_EQ(all, 42);
    boot->barrier();
    EXPECT_EQ(boot->allgather(std::string_view{"hello"}), std::vector<std::string>{"hello"});
    EXPECT_EQ(boot->departed(0), std::nullopt);
    EXPECT_EQ(find_machine_share(*boot).ranks, 1);
}

/// Plays the launcher for one rank: announces `place` and, unless told otherwise, sends it.
struct announced_place {
    explicit announced_place(job_place const& place, int sends = 1) : control(7, 2, 2) {
        int ends[2];
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        unique_fd const launcher{ends[0]};
        for (int i = 0; i < sends; ++i) send_with_fd(launcher.get(), &place, sizeof place, control.memory().get());
        setenv(boot_fd_variable, std::to_string(ends[1]).c_str(), 1);
        fd = ends[1];
    }
    announced_place(announced_place const&) = delete;
    announced_place& operator=(announced_place const&) = delete;
    ~announced_place() {
        unsetenv(boot_fd_variable);
        unsetenv(boot_joined_variable);
    }
    job_control control;
    int fd = -1;
};

std::string refusal() {
    try {
        static_cast<void>(make_bootstrap());
    } catch (error const& e) {
        return e.what();
    }
    return "";
}

TEST(LocalBootstrap, TakesTheAnnouncedPlaceAndLeavesNoTrace) {
    announced_place const launcher{{1, 7, 1, 2}};
    auto const boot = make_bootstrap();
    EXPECT_EQ(boot->name(), "sode run");
    EXPECT_EQ(boot->rank(), 1);
    EXPECT_EQ(boot->size(), 2);
    EXPECT_FALSE(boot->one_process());
    EXPECT_EQ(std::getenv(boot_fd_variable), nullptr);
    EXPECT_EQ(fcntl(launcher.fd, F_GETFD), -1) << "the socket is closed once it has served";
}

TEST(LocalBootstrap, HearsHowOthersLeft) {
    announced_place launcher{{1, 7, 1, 2}};
    auto const boot = make_bootstrap();
    EXPECT_EQ(boot->departed(0), std::nullopt);
    launcher.control.record_exit(0, true, 9);
    EXPECT_EQ(boot->departed(0), "killed by signal 9 (Killed)");
    launcher.control.record_exit(1, false, 0);
    EXPECT_EQ(boot->departed(1), "exited with status 0");
}

TEST(LocalBootstrap, JoinsOnce) {
    announced_place const launcher{{1, 7, 1, 2}};
    auto const boot = make_bootstrap();
    EXPECT_THAT(refusal(), HasSubstr("has already joined its job"));
}

TEST(LocalBootstrap, ChildrenOfARankAreAlone) {
    announced_place const launcher{{1, 7, 1, 2}};
    auto const boot = make_bootstrap();
    pid_t const child = fork();
    if (child == 0) _exit(make_bootstrap()->name() == "alone" ? 0 : 1);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(LocalBootstrap, RefusesAPlaceThatIsTaken) {
    announced_place const launcher{{1, 7, 1, 2}, 0};
    EXPECT_THAT(refusal(), HasSubstr("another process has already joined as this rank"));
}

TEST(LocalBootstrap, RefusesAnotherVersionsPlace) {
    announced_place const launcher{{99, 7, 1, 2}};
    EXPECT_THAT(refusal(), HasSubstr("use the same version of Sode"));
}

TEST(LocalBootstrap, RefusesAnotherJobsMemory) {
    announced_place const launcher{{1, 8, 1, 2}};
    EXPECT_THAT(refusal(), HasSubstr("the header of the memory differs"));
}

TEST(LocalBootstrap, RefusesMemoryOfAnotherSize) {
    announced_place const launcher{{1, 7, 1, 3}};
    EXPECT_THAT(refusal(), HasSubstr("were expected"));
}

TEST(LocalBootstrap, RefusesADescriptorThatIsNone) {
    for (char const* const value : {"", "x", "-3", "987654", "3x"}) {
        setenv(boot_fd_variable, value, 1);
        EXPECT_THAT(refusal(), HasSubstr("does not name an open file descriptor")) << value;
    }
    unsetenv(boot_fd_variable);
}

TEST(LocalBootstrap, RefusesADescriptorThatIsNoSocket) {
    int const fd = open("/dev/null", O_RDONLY);
    setenv(boot_fd_variable, std::to_string(fd).c_str(), 1);
    EXPECT_THAT(refusal(), HasSubstr("SO_PEERCRED"));
    unsetenv(boot_fd_variable);
    unsetenv(boot_joined_variable);
}

TEST(LocalBootstrap, RefusesALauncherOfAnotherUser) {
    if (geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
    announced_place const launcher{{1, 7, 1, 2}};
    pid_t const child = fork();
    if (child == 0) {
        if (setuid(65534) != 0) _exit(2);
        _exit(refusal().find("does not trust its launcher") != std::string::npos ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    close(launcher.fd);
}

} // namespace
} // namespace sode::internal
