// SPDX-License-Identifier: Apache-2.0
// Processes of a machine map blocks of each other's device: what one writes the other reads; a block stays until nobody has it
// mapped, and then it goes, with its descriptor; and where the driver lets nobody in, plans go by memory of the host and say why.
#include "device/emulated/file_blocks.hpp"
#include "model/job.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using handle = memory_provider::handle;

/// How many blocks of devices this process has mapped, its own and those of others.
int mapped_blocks() {
    std::ifstream maps{"/proc/self/maps"};
    int n = 0;
    for (std::string line; std::getline(maps, line);) n += line.find("memfd:sode-device") != std::string::npos ? 1 : 0;
    return n;
}

bool is_private() {
    auto const* const said = std::getenv("SODE_DEVICE");
    return said && std::string_view{said}.find(",private") != std::string_view::npos;
}

// Of one machine. Equal on all ranks: one that is alone on its machine is no other's neighbour.
bool are_processes(runtime& rt) {
    return rt.job().memory->name() == "segment" && rt.job().ranks->machines().one();
}

/// What earlier tests have released is free.
memory_provider& settled_memory(runtime& rt) {
    auto& memory = rt.job().need_device().memory();
    for (int n = 0; n < 2; ++n) {
        rt.barrier();
        rt.job().freed.collective_done();
        memory.release(memory.allocate(4096), 4096);
    }
    rt.barrier();
    return memory;
}

std::vector<handle> told_to_all(runtime& rt, handle const& mine) {
    std::vector<handle> all(static_cast<std::size_t>(rt.size()));
    rt.job().boot->allgather(&mine, sizeof mine, all.data());
    return all;
}

TEST(peer_memory, is_that_of_its_owner) {
    auto& rt = ranks();
    if (!are_processes(rt) || is_private()) return;
    auto& memory = settled_memory(rt);
    constexpr std::size_t bytes = 3 * 4096;
    auto* const own = memory.allocate(bytes);
    auto const before = mapped_blocks();
    auto const all = told_to_all(rt, memory.tell(own + 100));
    auto const inside = rt.job().need_device().enter();
    own[100] = static_cast<std::byte>(rt.rank() + 1);
    rt.barrier();
    std::vector<std::byte*> opened;
    for (int r = 0; r < rt.size(); ++r) {
        if (r == rt.rank()) continue;
        auto* const theirs = opened.emplace_back(memory.open(r, all[static_cast<std::size_t>(r)]));
        EXPECT_EQ(*theirs, static_cast<std::byte>(r + 1));
        theirs[1 + rt.rank()] = static_cast<std::byte>(100 + rt.rank());
        EXPECT_EQ(memory.open(r, all[static_cast<std::size_t>(r)]), theirs) << "a block is mapped once";
    }
    EXPECT_EQ(mapped_blocks(), before + static_cast<int>(opened.size()));
    rt.barrier();
    for (int r = 0; r < rt.size(); ++r) {
        if (r == rt.rank()) continue;
        EXPECT_EQ(own[101 + r], static_cast<std::byte>(100 + r));
    }
    // It was opened twice.
    for (auto* const at : opened) memory.close(at, /*again=*/false);
    EXPECT_EQ(mapped_blocks(), before + static_cast<int>(opened.size()));
    for (auto* const at : opened) memory.close(at, /*again=*/false);
    EXPECT_EQ(mapped_blocks(), before);
    rt.barrier();
    memory.release(own, bytes);
    rt.barrier();
    rt.job().freed.collective_done();
    EXPECT_EQ(mapped_blocks(), before - 1);
}

TEST(peer_memory, stays_as_long_as_somebody_has_it_mapped) {
    auto& rt = ranks();
    if (!are_processes(rt) || is_private()) return;
    auto& memory = settled_memory(rt);
    auto* const own = memory.allocate(4096);
    auto const before = mapped_blocks();
    auto const all = told_to_all(rt, memory.tell(own));
    int const next = (rt.rank() + 1) % rt.size();
    auto* const theirs = memory.open(next, all[static_cast<std::size_t>(next)]);
    rt.barrier();
    memory.release(own, 4096);
    rt.barrier();
    rt.job().freed.collective_done();
    EXPECT_EQ(mapped_blocks(), before + 1) << "its own is still there, as a neighbour has it mapped";
    rt.barrier();
    memory.close(theirs, /*again=*/false);
    rt.barrier();
    memory.release(memory.allocate(4096), 4096); // the device looks what can go
    EXPECT_EQ(mapped_blocks(), before - 1);
    rt.barrier();
}

// What is left mapped for the next message goes once its owner has no use for it.
TEST(peer_memory, that_may_be_opened_again_goes_with_its_owner) {
    auto& rt = ranks();
    if (!are_processes(rt) || is_private()) return;
    auto& memory = settled_memory(rt);
    auto* const own = memory.allocate(4096);
    auto* const other = memory.allocate(4096);
    auto const before = mapped_blocks();
    auto const all = told_to_all(rt, memory.tell(own)), others = told_to_all(rt, memory.tell(other));
    auto const next = static_cast<std::size_t>((rt.rank() + 1) % rt.size());
    memory.close(memory.open(static_cast<int>(next), all[next]), true);
    EXPECT_EQ(mapped_blocks(), before + 1);
    auto const found = memory.find(own + 7);
    ASSERT_TRUE(found);
    EXPECT_FALSE(memory.find(reinterpret_cast<std::byte const*>(&rt)));
    rt.barrier();
    memory.release(own, 4096);
    rt.barrier();
    rt.job().freed.collective_done();
    memory.close(memory.open(static_cast<int>(next), others[next]), /*again=*/false); // sees that the first one was released
    rt.barrier();
    memory.release(other, 4096);
    rt.barrier();
    rt.job().freed.collective_done();
    memory.release(memory.allocate(4096), 4096);
    EXPECT_EQ(mapped_blocks(), before - 2);
    rt.barrier();
}

// Plans map what they need when they are made, and give it back.
TEST(peer_memory, is_mapped_by_plans_while_they_live) {
    auto& rt = ranks();
    if (!are_processes(rt) || rt.size() == 1) return;
    grid<1> const g{rt, {30}};
    array<double, 1, sode::device> u{g, shadow{1}, 0.0, "u"};
    static_cast<void>(reflect_init(u)); // from now on the block that is tried is mapped
    static_cast<void>(settled_memory(rt));
    auto const before = mapped_blocks();
    {
        auto const halo = reflect_init({.channel = "device-pull"}, u);
        auto const text = halo.explain();
        if (is_private()) {
            EXPECT_THAT(text, HasSubstr("devices: through host memory, as the memory of rank"));
            EXPECT_THAT(text, HasSubstr("SODE_DEVICE makes the memory of this device private"));
            EXPECT_THAT(text, ::testing::Not(HasSubstr("device-pull")));
            EXPECT_EQ(mapped_blocks(), before);
        } else {
            EXPECT_THAT(text, HasSubstr("device-pull"));
            EXPECT_THAT(text, ::testing::Not(HasSubstr("devices: through host memory")));
            EXPECT_GT(mapped_blocks(), before);
        }
    }
    EXPECT_EQ(mapped_blocks(), before);
}

TEST(peer_memory, of_a_process_that_has_ended_cannot_be_opened) {
    auto& rt = ranks();
    if (rt.rank() != 0) return;
    struct told {
        block_driver::ticket ticket;
        process_identity owner;
    } said{};
    int ends[2], asked[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::pipe(asked), 0);
    constexpr std::size_t bytes = 8192;
    auto const child = ::fork();
    if (child == 0) {
        file_blocks blocks{false};
        auto* const block = blocks.allocate(bytes);
        std::memset(block, 42, bytes);
        said.owner = process_identity::mine();
        bool const done = blocks.issue(block, said.ticket).empty() && ::write(ends[1], &said, sizeof said) == sizeof said;
        char go = 0;
        ::_exit(done && ::read(asked[0], &go, 1) == 1 ? 0 : 1);
    }
    ASSERT_EQ(::read(ends[0], &said, sizeof said), static_cast<ssize_t>(sizeof said));
    file_blocks mine{false};
    std::string why;
    auto* const theirs = mine.map(said.ticket, said.owner, bytes, why);
    ASSERT_NE(theirs, nullptr) << why;
    EXPECT_EQ(theirs[bytes - 1], std::byte{42});
    EXPECT_EQ(mine.map(said.ticket, said.owner, 2 * bytes, why), nullptr);
    EXPECT_THAT(why, HasSubstr("another file"));
    ASSERT_EQ(::write(asked[1], "x", 1), 1);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(theirs[0], std::byte{42}) << "it is there as long as somebody has it mapped";
    mine.unmap(theirs, bytes);
    EXPECT_EQ(mine.map(said.ticket, said.owner, bytes, why), nullptr);
    EXPECT_THAT(why, HasSubstr("No such file"));
    EXPECT_EQ(look_up(said.owner), process_state::gone);
    for (int const fd : {ends[0], ends[1], asked[0], asked[1]}) ::close(fd);
}

} // namespace
} // namespace sode::internal::testing
