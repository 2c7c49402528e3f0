// SPDX-License-Identifier: Apache-2.0
// Machines that lack something: the error says what, every rank gets one, and nobody is killed.
#include "space/memory_room.hpp"
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t gib = std::size_t{1} << 30;

/// Leaves this process `room` bytes of address space beyond what it has.
void limit_address_space(std::size_t room) {
    std::size_t pages = 0;
    std::ifstream{"/proc/self/statm"} >> pages;
    ASSERT_NE(pages, 0u);
    rlim_t const bytes = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + room;
    rlimit const limit{bytes, bytes};
    ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
}

template <typename F> std::string environment_error(F&& what) {
    try {
        what();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::environment) << e.what();
        return e.what();
    }
    return "no error";
}

/// From now on this process gets `code` from that system call.
void refuse(long call, unsigned code) {
    std::array<sock_filter, 4> rules{{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(call), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    }};
    sock_fprog program{static_cast<unsigned short>(rules.size()), rules.data()};
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

void fills_its_arena(bootstrap& boot) {
    auto const memory = make_space(boot, 2 * mib);
    std::byte* const first = memory->allocate(mib);
    EXPECT_THAT(environment_error([&] { static_cast<void>(memory->allocate(mib + 1)); }),
                AllOf(HasSubstr("no room for"), HasSubstr("1 MiB of 2 MiB are in use, the largest free block has 1 MiB"),
                      HasSubstr("SODE_SEGMENT_SIZE")));
    EXPECT_NE(memory->allocate(mib), nullptr); // the error has cost nothing
    memory->release(first, mib);
    EXPECT_EQ(memory->allocate(mib), first);
}
TEST(space_limits, a_full_arena_is_an_error_of_allocate) {
    testing::run_processes(1, fills_its_arena);
    testing::run_processes(2, fills_its_arena);
    testing::run_threads(2, fills_its_arena);
}

void wants_the_whole_machine(bootstrap& boot) {
    auto const memory = make_space(boot, 0);
    auto const everything = memory_room::now().total;
    EXPECT_THAT(environment_error([&] { static_cast<void>(memory->allocate(everything)); }),
                HasSubstr("no memory for an array of"));
    EXPECT_NE(memory->allocate(mib), nullptr);
}
TEST(space_limits, a_full_machine_is_an_error_of_allocate) {
    testing::run_processes(1, wants_the_whole_machine);
    testing::run_processes(2, wants_the_whole_machine);
    testing::run_threads(2, wants_the_whole_machine);
}

TEST(space_limits, a_small_address_space_gets_small_arenas) {
    testing::run_processes(2, [](bootstrap& boot) {
        limit_address_space(gib);
        auto const memory = make_space(boot, 0);
        EXPECT_NE(memory->allocate(16 * mib), nullptr);
        EXPECT_THAT(environment_error([&] { static_cast<void>(memory->allocate(gib)); }), HasSubstr("no room for 1 GiB"));
    });
}

TEST(space_limits, a_request_that_one_rank_cannot_map_is_an_error_of_all) {
    testing::run_processes(3, [](bootstrap& boot) {
        if (boot.rank() == 2) limit_address_space(gib);
        auto const message = environment_error([&] { static_cast<void>(make_space(boot, gib)); });
        if (boot.rank() == 2) {
            EXPECT_THAT(message, AllOf(HasSubstr("3 arenas of 1 GiB"), HasSubstr("ulimit -v")));
        } else {
            EXPECT_THAT(message,
                        AllOf(HasSubstr("rank 2 could not map the memory of its machine"), HasSubstr("3 arenas of 1 GiB")));
        }
    });
}

TEST(space_limits, a_sandbox_without_memfd_is_an_error_of_all) {
    testing::run_processes(2, [](bootstrap& boot) {
        refuse(SYS_memfd_create, ENOSYS);
        EXPECT_THAT(environment_error([&] { static_cast<void>(make_space(boot, mib)); }), HasSubstr("memfd_create"));
    });
}

TEST(space_limits, no_descriptor_left_is_an_error_of_all) {
    testing::run_processes(3, [](bootstrap& boot) {
        rlimit const limit{0, 0};
        if (boot.rank() == 1) {
            ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
        }
        EXPECT_THAT(environment_error([&] { static_cast<void>(make_space(boot, mib)); }), HasSubstr("ulimit -n"));
    });
}

/// Where memory cannot be populated or returned, blocks are zeroed all the same.
TEST(space_limits, old_kernels_and_strict_sandboxes_still_give_zeroed_blocks) {
    constexpr std::size_t size = 3 * mib; // more than is kept for the next block
    testing::run_processes(2, [](bootstrap& boot) {
        auto const memory = make_space(boot, 4 * mib);
        std::byte* const dirty = memory->allocate(size);
        std::fill_n(dirty, size, std::byte{1});
        refuse(SYS_fallocate, EPERM);
        memory->release(dirty, size);
        std::byte* const again = memory->allocate(size);
        EXPECT_EQ(again, dirty);
        EXPECT_TRUE(std::all_of(again, again + size, [](std::byte x) { return x == std::byte{0}; }));
        memory->release(again, size);

        refuse(SYS_madvise, EINVAL);
        boot.barrier();
        EXPECT_THAT(environment_error([&] { static_cast<void>(memory->allocate(2 * mib)); }), HasSubstr("fallocate"));
    });
    testing::run_processes(2, [](bootstrap& boot) {
        refuse(SYS_madvise, EINVAL);
        auto const memory = make_space(boot, 4 * mib);
        std::byte* const block = memory->allocate(size);
        EXPECT_TRUE(std::all_of(block, block + size, [](std::byte x) { return x == std::byte{0}; }));
        std::fill_n(block, size, std::byte{1});
        memory->release(block, size);
        EXPECT_EQ(*memory->allocate(size), std::byte{0});
    });
}

TEST(space_limits, different_sizes_are_an_error_of_all) {
    testing::run_processes(2, [](bootstrap& boot) {
        try {
            static_cast<void>(make_space(boot, boot.rank() == 0 ? mib : 2 * mib));
            ADD_FAILURE() << "no error";
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage);
        }
    });
}

} // namespace
} // namespace sode::internal
