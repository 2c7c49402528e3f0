// SPDX-License-Identifier: Apache-2.0
// What a task gets from its order.
#include "needs_tasks.hpp"
#include "task_run.hpp"

#include <sode/error.hpp>

#include <csignal>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

class inherited : public needs_tasks {
protected:
    static std::string tell(task_order const& asked) {
        task_house tasks;
        task_run run{tasks, asked};
        EXPECT_EQ(run.wait(), 0) << run.why();
        EXPECT_EQ(run.why(), "");
        return run.output();
    }
    task_order order = task_run::order_for(program_path("inherited"));
};

TEST_F(inherited, words_and_variables) {
    order.argv = {"my name", "", "three words here"};
    order.env = {"said=something", "other="};
    auto const text = tell(order);
    EXPECT_THAT(text, HasSubstr("argument my name\nargument \nargument three words here\nsaid something\n"));
    EXPECT_THAT(text, HasSubstr("name inherited\n"));
    EXPECT_THAT(text, HasSubstr("page 4096 secure 0 user 1\n"));
}

TEST_F(inherited, megabytes_of_words) {
    order.argv.emplace_back(3'000'000, 'x');
    order.env.push_back("said=" + std::string(5'000'000, 'y'));
    auto const text = tell(order);
    EXPECT_GT(text.size(), 8'000'000U);
    EXPECT_THAT(text.substr(text.size() - 500), HasSubstr("name inherited\n"));
}

TEST_F(inherited, where_and_how_it_works) {
    order.cwd = "/usr";
    order.umask = 0137;
    order.nice = 3;
    order.cpus = {1};
    order.limits = {{RLIMIT_NOFILE, {123, 124}}};
    auto const text = tell(order);
    EXPECT_THAT(text, HasSubstr("folder /usr\n"));
    EXPECT_THAT(text, HasSubstr("umask 137\n"));
    EXPECT_THAT(text, HasSubstr("nice 3\n"));
    EXPECT_THAT(text, HasSubstr("processors 1 first 1\n"));
    EXPECT_THAT(text, HasSubstr("files 123 124\n"));
}

TEST_F(inherited, no_limit_of_memory_that_all_would_share) {
    order.limits = {{RLIMIT_AS, {1U << 20U, 1U << 20U}}, {RLIMIT_DATA, {1U << 20U, 1U << 20U}}};
    EXPECT_THAT(tell(order), HasSubstr("name inherited\n"));
}

TEST_F(inherited, any_stack) {
    for (rlim_t const soft : {rlim_t{64} << 10U, rlim_t{100} << 20U, rlim_t{1} << 45U, RLIM_INFINITY}) {
        order.limits = {{RLIMIT_STACK, {soft, RLIM_INFINITY}}};
        EXPECT_THAT(tell(order), HasSubstr("name inherited\n")) << soft;
    }
    order.stack_bytes = std::size_t{1} << 45U;
    EXPECT_THROW((void)tell(order), error);
}

TEST_F(inherited, its_place_and_not_an_older_one) {
    task_house tasks;
    auto child = task_run::order_for(program_path("placed"));
    child.env.push_back(std::string{task_variable} + "=1:2:3:4");
    task_run run{tasks, child};
    EXPECT_EQ(run.line(), "task 0 rank -1 of 1024, mine 0");
    EXPECT_EQ(run.wait(), 0);
}

TEST_F(inherited, signals) {
    ::signal(SIGPIPE, SIG_IGN); // this process's affair
    EXPECT_THAT(tell(order), HasSubstr("pipe signal deadly\nuser signal open\n"));
    order.ignored_signals = 1U << (SIGPIPE - 1U);
    order.blocked_signals = 1U << (SIGUSR1 - 1U);
    EXPECT_THAT(tell(order), HasSubstr("pipe signal ignored\nuser signal blocked\n"));
    ::signal(SIGPIPE, SIG_DFL);
}

TEST_F(inherited, descriptors_and_no_others) {
    int const one = ::open("/dev/null", O_RDONLY);
    int const another = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    order.fds = {{one, another}, {another, one}, {another, 700}};
    EXPECT_THAT(tell(order), HasSubstr("descriptors 0 1 2 " + std::to_string(one) + " " + std::to_string(another) + " 700\n"));
    order.fds.push_back({one, 700});
    EXPECT_THROW((void)tell(order), error);
    ::close(one);
    ::close(another);
    order.fds = {{9999, 5}};
    EXPECT_THROW((void)tell(order), error);
}

TEST_F(inherited, what_cannot_be_set_is_told) {
    task_house tasks;
    auto const why = [&](task_order const& impossible) {
        task_run run{tasks, impossible};
        EXPECT_EQ(WEXITSTATUS(run.wait()), 127);
        return run.why();
    };
    auto nowhere = order;
    nowhere.cwd = "/no/such/folder";
    EXPECT_THAT(why(nowhere), HasSubstr("could not enter its working directory (No such file or directory)"));
    auto unbound = order;
    unbound.cpus = {0};
    EXPECT_THAT(why(unbound), HasSubstr("could not be bound to its processors"));
    auto unlimited = order;
    unlimited.limits = {{RLIMIT_CPU, {2, 1}}};
    EXPECT_THAT(why(unlimited), HasSubstr("could not set its resource limits"));
}

} // namespace
} // namespace sode::internal::testing
