// SPDX-License-Identifier: Apache-2.0
// Stores that go astray: they fault, and do not change what another rank computes.
#include "space/segment_pages.hpp"

#include "base/shared_memory.hpp"
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::size_t step = std::size_t{64} << 10; // the least granule
constexpr std::size_t slack = 4 * mib;              // what is opened at once, before and behind

/// Whether this process may read a byte; it asks the kernel, which answers with an error instead of a signal.
class access {
public:
    access() {
        if (::pipe(ends_.data()) != 0) std::abort();
    }
    ~access() {
        for (int const end : ends_) ::close(end);
    }
    access(access const&) = delete;
    access& operator=(access const&) = delete;
    [[nodiscard]] bool to(std::byte const* at) const {
        char c = 0;
        return ::write(ends_[1], at, 1) == 1 && ::read(ends_[0], &c, 1) == 1;
    }

private:
    std::array<int, 2> ends_{};
};

std::byte* first_arena(space const& memory, int ranks) {
    std::byte* first = memory.at(0, 0);
    for (int r = 1; r < ranks; ++r) first = std::min(first, memory.at(r, 0), std::less<>{});
    return first;
}

TEST(stray, own_memory_can_be_accessed_where_it_is_allocated) {
    testing::run_processes(2, [](bootstrap& boot) {
        auto const memory = make_space(boot, 64 * mib);
        access const can;
        EXPECT_FALSE(can.to(memory->at(boot.rank(), 0)));
        std::byte* const block = memory->allocate(20 * mib);
        for (std::size_t at = 0; at < 20 * mib; at += step) EXPECT_TRUE(can.to(block + at));
        EXPECT_FALSE(can.to(block + 20 * mib + slack));
        memory->release(block, 20 * mib);
        EXPECT_FALSE(can.to(block + 10 * mib));
        EXPECT_EQ(memory->allocate(20 * mib), block);
        EXPECT_TRUE(can.to(block + 10 * mib));
    });
}

TEST(stray, memory_of_others_can_be_accessed_where_it_has_been_opened) {
    testing::run_processes(3, [](bootstrap& boot) {
        auto const memory = make_space(boot, 64 * mib);
        static_cast<void>(memory->allocate(16 * mib));
        std::byte* const block = memory->allocate(mib);
        block[mib - 1] = std::byte{static_cast<unsigned char>(40 + boot.rank())};
        auto const place = memory->block_of(block + 17);
        EXPECT_EQ(place.offset, memory->offset(block));
        EXPECT_EQ(place.bytes, mib);
        boot.barrier();
        access const can;
        for (int rank = 0; rank < 3; ++rank) {
            if (rank == boot.rank()) continue;
            auto const* const theirs = memory->at(rank, place.offset);
            EXPECT_FALSE(can.to(theirs));
            for (int twice = 0; twice < 2; ++twice) memory->open(rank, place);
            EXPECT_TRUE(can.to(theirs));
            EXPECT_EQ(theirs[mib - 1], std::byte{static_cast<unsigned char>(40 + rank)});
            EXPECT_FALSE(can.to(theirs - slack)) << "what it has allocated, and nobody asked for";
            EXPECT_FALSE(can.to(theirs + mib + slack)) << "what it has not allocated";
            memory->open(rank, {0, mib});
            memory->open(rank, {2 * slack, UINT64_MAX});
            EXPECT_TRUE(can.to(memory->at(rank, 0)) && can.to(theirs) && can.to(memory->at(rank, 64 * mib - 1)));
            EXPECT_FALSE(can.to(memory->at(rank, slack + mib)));
            memory->open(rank, {0, UINT64_MAX});
            for (std::size_t at = 0; at < 64 * mib; at += step) EXPECT_TRUE(can.to(memory->at(rank, at)));
        }
        boot.barrier();
    });
}

TEST(stray, full_arenas_do_not_touch_each_other) {
    testing::run_processes(3, [](bootstrap& boot) {
        constexpr std::size_t arena = 32 * mib;
        auto const memory = make_space(boot, arena);
        static_cast<void>(memory->allocate(arena));
        boot.barrier();
        access const can;
        for (int rank = 0; rank < 3; ++rank) memory->open(rank, {0, arena});
        for (int rank = 0; rank < 3; ++rank) {
            EXPECT_TRUE(can.to(memory->at(rank, 0)) && can.to(memory->at(rank, arena - 1)));
            EXPECT_FALSE(can.to(memory->at(rank, 0) - 1));
            EXPECT_FALSE(can.to(memory->at(rank, arena)));
        }
        boot.barrier();
    });
}

// From the end of an own block upwards, as a loop with a wrong bound goes; in arenas as large as the machine's memory.
TEST(stray, a_loop_without_an_end_ends_at_once_and_harms_nobody) {
    testing::run_processes(3, [](bootstrap& boot) {
        auto const memory = make_space(boot, 0);
        std::byte* const block = memory->allocate(mib);
        boot.barrier();
        for (int rank = 0; rank < 3; ++rank) memory->open(rank, memory->block_of(block));
        if (boot.rank() == 0) {
            pid_t const child = ::fork();
            if (child == 0) {
                std::signal(SIGSEGV, SIG_DFL);
                for (auto* at = block;; at += 4096) *const_cast<std::byte volatile*>(at) = std::byte{99};
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
        }
        boot.barrier();
        std::size_t changed = 0;
        for (std::size_t at = 0; at < mib; ++at) changed += block[at] == std::byte{99} ? 1 : 0;
        EXPECT_EQ(changed, boot.rank() == 0 ? mib / 4096 : 0);
        // Nothing else of all arenas can be reached, but what is around the three blocks.
        access const can;
        auto* const first = first_arena(*memory, 3);
        std::size_t reached = 0;
        for (std::size_t at = 0; at < (std::size_t{200} << 30); at += 32 * mib)
            if (memory->owner_of(first + at) >= 0 && can.to(first + at)) ++reached;
        EXPECT_LE(reached, 3u);
        boot.barrier();
    });
}

} // namespace
} // namespace sode::internal
