// SPDX-License-Identifier: Apache-2.0
// What a program can do where pointers of all ranks mean the same, and what it is told where they do not.
#include "support/ranks.hpp"

#include <sode/array.hpp>
#include <sode/attach.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>
#include <sode/tasks.hpp>

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <vector>

namespace sode::internal::testing {
namespace {

int global = -1;

/// One address space for several processes; a rank that is alone has nobody to share with.
bool tasks() {
    return ranks().describe().find("memory: tasks") != std::string::npos;
}

TEST(tasks_face, pointers_reach_heap_stack_and_globals_of_the_others) {
    if (!one_address_space(ranks())) GTEST_SKIP() << "every rank has its own address space";
    int const me = ranks().rank();
    std::vector<int> heap(1000, 100 + me);
    int stack = 200 + me;
    global = 300 + me;
    auto const heaps = pointers(ranks(), heap.data());
    auto const stacks = pointers(ranks(), &stack);
    auto const globals = pointers(ranks(), &global);
    for (int r = 0; r < ranks().size(); ++r) {
        auto const i = static_cast<std::size_t>(r);
        EXPECT_EQ(heaps[i][999], 100 + r);
        EXPECT_EQ(*stacks[i], 200 + r);
        EXPECT_EQ(*globals[i], 300 + r);
        if (tasks()) {
            EXPECT_EQ(owner_of(ranks(), heaps[i] + 999), r);
            EXPECT_EQ(owner_of(ranks(), stacks[i]), r);
            EXPECT_EQ(owner_of(ranks(), globals[i]), r);
        }
    }
    EXPECT_EQ(owner_of(ranks(), nullptr), -1);
    static_cast<void>(pointers(ranks(), &stack)); // nobody leaves before all have looked
}

TEST(tasks_face, an_array_tells_its_owner_everywhere) {
    grid<1> const g{ranks(), {8 * ranks().size()}};
    array<double, 1> const a{g};
    EXPECT_EQ(owner_of(ranks(), &(*a)(8 * ranks().rank())), ranks().rank());
}

TEST(tasks_face, without_one_address_space_pointers_are_refused) {
    if (one_address_space(ranks())) GTEST_SKIP() << "the ranks have one address space";
    int mine = 0;
    try {
        static_cast<void>(pointers(ranks(), &mine));
        FAIL() << "no error";
    } catch (error const& e) {
        EXPECT_THAT(e.what(), ::testing::HasSubstr("sode run --space=tasks"));
    }
}

TEST(tasks_face, what_users_bring_is_read_where_it_lies) {
    grid<2> const g{ranks(), {4 * ranks().size(), 64}, {.nodes = {ranks().size(), 1}}};
    std::vector<double> mine(6 * 66);
    auto field = attach(g, mine.data(), strides{66, 1}, shadow{1});
    reflect_options options;
    options.channel = "pull";
    auto halo = reflect_init(options, field);
    int const me = ranks().rank(), all = ranks().size();
    auto const mark = [](index_t i, index_t j) { return static_cast<double>(1000 * i + j); };
    auto const at = [&](index_t i, index_t j) -> double& { return mine[static_cast<std::size_t>((i - 4 * me + 1) * 66 + j + 1)]; };
    for (auto const& [i, j] : g.local()) at(i, j) = mark(i, j);
    halo();
    for (index_t const i : {4 * me - 1, 4 * me + 4})
        for (index_t const j : {0, 63})
            if (i >= 0 && i < 4 * all) {
                EXPECT_EQ(at(i, j), mark(i, j));
            }
    if (all > 1) {
        EXPECT_EQ(halo.explain().find("pull") != std::string::npos, one_address_space(ranks())) << halo.explain();
    }
}

/// How a child ends that looks at `there`: with status 0 if it finds `expected`, by a signal if there is nothing.
int look_in_child(char const volatile* there, char expected) {
    pid_t const child = ::fork();
    if (child == 0) {
        std::signal(SIGSEGV, SIG_DFL);
        ::_exit(*there == expected ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    return status;
}

TEST(tasks_face, an_array_left_out_of_forks_is_not_in_the_child) {
    constexpr index_t bytes = index_t{8} << 20; // there is a whole huge page in it, wherever it begins
    grid<1> const g{ranks(), {bytes * ranks().size()}};
    {
        array<char, 1> mine{g, {}, 'x'};
        leave_out_of_forks(ranks(), mine.view());
        auto* const inside = mine.view().data_handle() + bytes / 2;
        int const status = look_in_child(inside, 'x');
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << status;
        EXPECT_EQ(*inside, 'x');
    }
    ranks().barrier(); // what has ended is free only now
    array<char, 1> another{g, {}, 'y'};
    EXPECT_EQ(look_in_child(another.view().data_handle() + bytes / 2, 'y'), 0);
}

TEST(tasks_face, what_shares_its_pages_is_not_left_out) {
    grid<1> const g{ranks(), {64 * ranks().size()}};
    array<char, 1> small{g, {}, 'x'};
    leave_out_of_forks(ranks(), small.view());
    EXPECT_EQ(look_in_child(small.view().data_handle(), 'x'), 0);

    std::vector<char> of_malloc(std::size_t{4} << 20, 'x');
    view<char, 1> const theirs{of_malloc.data(), {0}, {static_cast<index_t>(of_malloc.size())}, {1}};
    try {
        leave_out_of_forks(ranks(), theirs);
        FAIL() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        EXPECT_THAT(e.what(), ::testing::HasSubstr("Sode did not allocate this memory"));
    }
    EXPECT_EQ(look_in_child(of_malloc.data() + of_malloc.size() / 2, 'x'), 0);
}

} // namespace
} // namespace sode::internal::testing
