// SPDX-License-Identifier: Apache-2.0
// What blocks are made of: aligned, zeroed, resident, their own, and the kernel's again when nobody uses them.
#include "base/shared_memory.hpp"
#include "space/memory_room.hpp"
#include "space/overwritable.hpp"
#include "space/pages.hpp"
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <random>
#include <span>
#include <sstream>

namespace sode::internal {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

struct kind {
    std::string_view name;
    void (*run)(int, testing::mini_program const&, testing::mini_options const&);
    int ranks;
};
struct space_memory : ::testing::TestWithParam<kind> {
    void run(testing::mini_program const& program) const { GetParam().run(GetParam().ranks, program, {}); }
};

/// How many pages of a range are in memory.
std::size_t resident_pages(std::byte* base, std::size_t bytes) {
    auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages((bytes + page - 1) / page);
    if (::mincore(base, bytes, pages.data()) != 0) return 0;
    return static_cast<std::size_t>(std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return (p & 1) != 0; }));
}

TEST_P(space_memory, random_blocks_are_aligned_zeroed_and_their_owners_own) {
    run([](bootstrap& boot) {
        auto const memory = make_space(boot, 32 * mib);
        struct live {
            std::byte* base;
            std::size_t bytes;
            std::byte mark;
        };
        std::vector<live> blocks;
        std::mt19937 random{static_cast<unsigned>(17 + boot.rank())};
        auto const let_go = [&](std::size_t which) {
            live const b = blocks[which];
            blocks[which] = blocks.back();
            blocks.pop_back();
            auto const intact = std::all_of(b.base, b.base + b.bytes, [&](std::byte x) { return x == b.mark; });
            EXPECT_TRUE(intact) << "somebody wrote into a block of " << b.bytes;
            memory->release(b.base, b.bytes);
        };
        for (int step = 0; step < 600; ++step) {
            if (blocks.empty() || random() % 5 < 3) {
                std::size_t const bytes = random() % 16 == 0 ? random() % (2 * mib) : random() % 9000;
                std::byte* const base = memory->allocate(bytes);
                ASSERT_EQ(reinterpret_cast<std::uintptr_t>(base) % 128, 0u);
                auto const zeroed = std::all_of(base, base + bytes, [](std::byte x) { return x == std::byte{0}; });
                ASSERT_TRUE(zeroed) << "step " << step << ", " << bytes << " bytes";
                auto const mark = static_cast<std::byte>(1 + random() % 255);
                std::fill_n(base, bytes, mark);
                blocks.push_back({base, bytes, mark});
                std::size_t total = 0;
                for (auto const& b : blocks) total += b.bytes;
                if (total > 16 * mib) let_go(random() % blocks.size());
            } else {
                let_go(random() % blocks.size());
            }
        }
        while (!blocks.empty()) let_go(0);
        EXPECT_EQ(memory->offset(memory->allocate(31 * mib)), 0u) << "the arena is not whole again";
    });
}

TEST_P(space_memory, is_resident_from_allocate_to_release) {
    run([](bootstrap& boot) {
        auto const memory = make_space(boot, 32 * mib);
        std::byte* const block = memory->allocate(8 * mib);
        auto const pages = 8 * mib / static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        EXPECT_EQ(resident_pages(block, 8 * mib), pages);
        memory->release(block, 8 * mib);
        EXPECT_EQ(resident_pages(block, 8 * mib), 0u);
    });
}

/// A plan that follows on another must find its pages still there, and zeroed.
TEST_P(space_memory, keeps_a_little_of_what_was_released) {
    run([](bootstrap& boot) {
        auto const memory = make_space(boot, 32 * mib);
        std::byte* const first = memory->allocate(mib);
        std::fill_n(first, mib, std::byte{1});
        memory->release(first, mib);
        EXPECT_EQ(resident_pages(first, mib), mib / static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
        std::byte* const small = memory->allocate(mib / 4); // cuts the piece that is kept
        std::byte* const large = memory->allocate(8 * mib); // begins in it
        EXPECT_TRUE(std::all_of(small, small + mib / 4, [](std::byte x) { return x == std::byte{0}; }));
        EXPECT_TRUE(std::all_of(large, large + 8 * mib, [](std::byte x) { return x == std::byte{0}; }));
        memory->release(large, 8 * mib);
        EXPECT_EQ(resident_pages(large + 2 * mib, 6 * mib), 0u); // a huge page of it may be in use by `small`
    });
}

/// Lines that nobody needs zeroed stay where they are: only what is asked for is cleared, also where a block shares its pages.
TEST_P(space_memory, leaves_what_is_written_before_it_is_read) {
    run([](bootstrap& boot) {
        auto const memory = make_space(boot, 32 * mib);
        constexpr std::size_t lines = 5000, bytes = mib / 2;
        auto const all = [](std::byte const* first, std::size_t n, int value) {
            return std::all_of(first, first + n, [&](std::byte x) { return x == std::byte(value); });
        };
        std::byte* const before = memory->allocate(300); // so that the block ends within pages
        for (std::size_t const size : {bytes, std::size_t{9000}}) {
            std::byte* const first = memory->allocate(size);
            std::fill_n(first, size, std::byte{1});
            memory->release(first, size);
            std::byte* const again = allocate_for_overwrite(*memory, size, lines);
            ASSERT_EQ(again, first);
            EXPECT_TRUE(all(again, lines, 0)) << size;
            EXPECT_TRUE(all(again + lines, size - lines, 1)) << size;
            memory->release(again, size);
            std::byte* const zeroed = memory->allocate(size);
            EXPECT_TRUE(all(zeroed, size, 0)) << size;
            memory->release(zeroed, size);
        }
        memory->release(before, 300);
    });
}

std::string kind_name(::testing::TestParamInfo<kind> const& info) {
    return std::string{info.param.name};
}
INSTANTIATE_TEST_SUITE_P(kinds, space_memory,
                         ::testing::Values(kind{"alone", testing::run_processes, 1}, kind{"segment", testing::run_processes, 3},
                                           kind{"threads", testing::run_threads, 3}),
                         kind_name);

/// The flags of the mapping that `address` lies in, as /proc/self/smaps has them.
std::string mapping_flags(std::byte const* address) {
    auto const wanted = reinterpret_cast<std::uintptr_t>(address);
    std::ifstream smaps{"/proc/self/smaps"};
    bool inside = false;
    for (std::string line; std::getline(smaps, line);) {
        std::uintptr_t from = 0, to = 0;
        char dash = 0;
        std::istringstream head{line};
        if (head >> std::hex >> from >> dash >> to && dash == '-') inside = from <= wanted && wanted < to;
        if (inside && line.starts_with("VmFlags:")) return line + " ";
    }
    return "";
}

/// Bytes of shared memory that this process sees through huge pages.
std::size_t in_huge_pages() {
    std::ifstream rollup{"/proc/self/smaps_rollup"};
    std::size_t kib = 0;
    for (std::string word; rollup >> word;)
        if (word == "ShmemPmdMapped:" && rollup >> kib) return kib << 10U;
    return 0;
}

/// Whether this kernel makes huge pages of shared memory when it is asked to.
bool can_be_had(std::size_t huge_page) {
    auto const file = make_memfd("test", huge_page);
    void* const room = ::mmap(nullptr, 2 * huge_page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) return false;
    auto* const first =
        static_cast<std::byte*>(room) + (huge_page - reinterpret_cast<std::uintptr_t>(room) % huge_page) % huge_page;
    bool const mapped = ::mmap(first, huge_page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.get(), 0) != MAP_FAILED;
    bool const can = mapped && back_by_huge_pages({first, huge_page}, huge_page);
    ::munmap(room, 2 * huge_page);
    return can;
}

TEST(segment, large_blocks_are_in_huge_pages) {
    auto const huge_page = huge_page_bytes();
    if (huge_page == 0 || huge_page > 4 * mib || !can_be_had(huge_page)) GTEST_SKIP() << "this kernel gives none";
    testing::run_processes(2, [huge_page](bootstrap& boot) {
        auto const memory = make_space(boot, 64 * mib);
        auto const before = in_huge_pages();
        std::byte* const small = memory->allocate(mib / 2); // what follows begins in the middle of a huge page
        constexpr std::size_t bytes = 40 * mib;
        std::byte* const block = memory->allocate(bytes);
        EXPECT_GE(in_huge_pages() - before, bytes - 2 * huge_page);
        EXPECT_TRUE(std::all_of(block, block + bytes, [](std::byte x) { return x == std::byte{0}; }));
        boot.barrier();
        memory->open(1 - boot.rank(), memory->block_of(block));
        auto const* const theirs = memory->at(1 - boot.rank(), memory->offset(block));
        EXPECT_TRUE(std::all_of(theirs, theirs + bytes, [](std::byte x) { return x == std::byte{0}; }));
        EXPECT_GE(in_huge_pages() - before, 2 * (bytes - 2 * huge_page)) << "the peer's, as this rank sees them";
        boot.barrier();
        memory->release(block, bytes);
        EXPECT_EQ(resident_pages(block + mib, bytes - 2 * mib), 0u);
        memory->release(small, mib / 2);
    });
}

// Arrays of less than a huge page are the usual case: a field of 65 x 65 x 65 that two ranks share.
TEST(segment, blocks_that_fill_huge_pages_together_are_in_huge_pages) {
    auto const huge_page = huge_page_bytes();
    if (huge_page == 0 || huge_page > 4 * mib || !can_be_had(huge_page)) GTEST_SKIP() << "this kernel gives none";
    testing::run_processes(2, [huge_page](bootstrap& boot) {
        auto const memory = make_space(boot, 64 * mib);
        auto const before = in_huge_pages();
        auto const bytes = huge_page / 8 * 5 + 192;
        std::vector<std::byte*> blocks;
        for (unsigned k = 0; k < 16; ++k) {
            blocks.push_back(memory->allocate(bytes));
            std::memset(blocks.back(), static_cast<int>(k + 1), bytes);
            boot.barrier();
            memory->open(1 - boot.rank(), memory->block_of(blocks.back())); // the peer looks at pages that become others
            EXPECT_EQ(memory->at(1 - boot.rank(), memory->offset(blocks.back()))[bytes / 2], std::byte(k + 1));
        }
        EXPECT_GE(in_huge_pages() - before, 16 * bytes - 2 * huge_page);
        boot.barrier();
        for (unsigned k = 0; k < 16; ++k)
            for (auto const* const block : {blocks[k], memory->at(1 - boot.rank(), memory->offset(blocks[k]))})
                EXPECT_TRUE(std::all_of(block, block + bytes, [k](std::byte x) { return x == std::byte(k + 1); })) << k;
        boot.barrier();
        for (auto* const block : blocks) memory->release(block, bytes);
    });
}

TEST(segment, core_dumps_hold_the_own_blocks_and_nothing_else) {
    testing::run_processes(2, [](bootstrap& boot) {
        auto const memory = make_space(boot, 32 * mib);
        std::byte* const block = memory->allocate(4 * mib);
        auto const not_dumped = [](std::byte const* at) { return mapping_flags(at).find(" dd ") != std::string::npos; };
        EXPECT_FALSE(not_dumped(block));
        EXPECT_TRUE(not_dumped(block + 8 * mib)) << "a hole";
        EXPECT_TRUE(not_dumped(memory->at(1 - boot.rank(), 0))) << "the peer's arena";
        memory->release(block, 4 * mib);
        EXPECT_TRUE(not_dumped(block)) << "released";
    });
}

} // namespace
} // namespace sode::internal
