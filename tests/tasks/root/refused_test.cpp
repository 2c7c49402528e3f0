// SPDX-License-Identifier: Apache-2.0
// Where ranks cannot be tasks, a wish for tasks is an error that says why: in sandboxes that refuse a system call, and for want of
// what is limited.
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <cerrno>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct wish {
    words command;
    int status; ///< of a wish that cannot be met
};
std::vector<wish> wishes() {
    static int jobs = 0; // each has a root of its own, and not one that was made with other rights a moment ago
    return {{{SODE_COMMAND, "run", "--space=tasks", "-n", "3"}, 126},
            {{"env", fmt::format("PMIX_NAMESPACE=refused-test-{}-{}", getpid(), ++jobs), SODE_COMMAND, "task"}, 125}};
}

TEST(Refused, SystemCallsAreNamed) {
    struct refusal {
        long call;
        int number;
        std::string said;
    };
    for (auto const& [call, number, said] : {refusal{SYS_pidfd_getfd, EPERM, "pidfd_getfd: Operation not permitted"},
                                             refusal{SYS_clone3, EPERM, "clone3: Operation not permitted"},
                                             refusal{SYS_clone3, ENOSYS, "clone3: Function not implemented"},
                                             refusal{SYS_kcmp, EPERM, "kcmp: Operation not permitted"},
                                             refusal{SYS_seccomp, EPERM, "seccomp: Operation not permitted"}})
        for (auto const& [command, status] : wishes()) {
            words const sandbox{DENY_CALL, std::to_string(call), std::to_string(number)};
            result const r = process{sandbox + command + words{WHO, "exit", "0"}}.wait();
            EXPECT_EQ(r.status, status) << r.err;
            EXPECT_THAT(r.err, HasSubstr("ranks cannot be tasks on this machine"));
            EXPECT_THAT(r.err, HasSubstr(said));
            EXPECT_EQ(count(r.err, said), 1) << r.err;
        }
}

// Some of these limits are enough for some number of ranks, or for a root without a task.
TEST(Refused, LimitsAreNamedWithWhatTheyAre) {
    for (auto const& [limit, option] : {std::pair{"-n 20", "-n"}, {"-d 1000", "-d"}, {"-v 30000", "-v"}, {"-f 0", "-f"}})
        for (auto const& [command, status] : wishes()) {
            std::string line = fmt::format("ulimit {}; exec", limit);
            for (auto const& w : command + words{WHO, "exit", "0"}) line += " '" + w + "'";
            process job{{"bash", "-c", line}};
            result const r = job.wait();
            EXPECT_FALSE(r.by_signal) << limit;
            if (r.status != 0) {
                EXPECT_THAT(r.err,
                            AnyOf(HasSubstr(fmt::format("`ulimit {}`", option)), HasSubstr("error while loading shared libraries")))
                    << limit;
            }
            EXPECT_TRUE(job.family_gone(5)) << limit;
        }
}

} // namespace
} // namespace sode::internal::testing
