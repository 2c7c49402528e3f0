// SPDX-License-Identifier: Apache-2.0
// Ranks that are killed: nobody hangs, nothing is left.
#include "space/space.hpp"
#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace sode::internal {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mib = std::size_t{1} << 20;

/// The inode of the segment that this process has mapped, 0 if none.
std::uint64_t segment_inode() {
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
        if (line.find("memfd:sode") == std::string::npos) continue;
        std::istringstream fields{line};
        std::string range, permissions, offset, device;
        std::uint64_t inode = 0;
        fields >> range >> permissions >> offset >> device >> inode;
        return inode;
    }
    return 0;
}

/// All processes of the machine that hold the file, open or mapped.
std::vector<std::string> holders(std::uint64_t inode) {
    std::vector<std::string> found;
    std::error_code ignored;
    for (auto const& process : fs::directory_iterator{"/proc", ignored}) {
        auto const name = process.path().filename().string();
        if (!std::all_of(name.begin(), name.end(), ::isdigit)) continue;
        for (auto const& fd : fs::directory_iterator{process.path() / "fd", ignored}) {
            struct stat status {};
            auto const target = fs::read_symlink(fd.path(), ignored).string();
            if (target.starts_with("/memfd:sode") && ::stat(fd.path().c_str(), &status) == 0 && status.st_ino == inode)
                found.push_back(name + " has it open");
        }
        std::ifstream maps{process.path() / "maps"};
        for (std::string line; std::getline(maps, line);)
            if (line.find("memfd:sode") != std::string::npos && line.find(' ' + std::to_string(inode) + ' ') != std::string::npos)
                found.push_back(name + " has it mapped");
    }
    return found;
}

std::vector<std::string> names_in(char const* folder) {
    std::vector<std::string> names;
    for (auto const& entry : fs::directory_iterator{folder}) names.push_back(entry.path().filename().string());
    return names;
}

TEST(space_faults, nothing_is_left_when_all_are_killed) {
    auto* const inode =
        static_cast<std::atomic<std::uint64_t>*>(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    auto const shm_before = names_in("/dev/shm");
    bool seen_alive = false;
    auto const statuses = testing::run_processes_for_status(
        4,
        [&](bootstrap& boot) {
            auto const memory = make_space(boot, 16 * mib);
            static_cast<void>(memory->allocate(4 * mib));
            boot.barrier();
            if (boot.rank() == 0) *inode = segment_inode();
            for (;;) ::pause();
        },
        {},
        [&](std::vector<pid_t> const& pids) {
            while (*inode == 0) ::usleep(1000);
            seen_alive = !holders(*inode).empty();
            for (auto const pid : pids) ::kill(pid, SIGKILL);
        });
    for (int const status : statuses) EXPECT_TRUE(WIFSIGNALED(status));
    EXPECT_TRUE(seen_alive) << "the test looks in the wrong place";
    EXPECT_TRUE(holders(*inode).empty()) << holders(*inode).front();
    for (auto const& name : names_in("/dev/shm"))
        EXPECT_TRUE(name.find("sode") == std::string::npos || std::count(shm_before.begin(), shm_before.end(), name) == 1) << name;
    ::munmap(inode, 4096);
}

TEST(space_faults, nothing_but_the_memory_stays_open) {
    testing::run_processes(3, [](bootstrap& boot) {
        auto const before = names_in("/proc/self/fd").size();
        auto memory = make_space(boot, 16 * mib);
        EXPECT_EQ(names_in("/proc/self/fd").size(), before + 1) << "the segment, and no sockets";
        EXPECT_NE(segment_inode(), 0u);
        memory.reset();
        EXPECT_EQ(names_in("/proc/self/fd").size(), before);
        EXPECT_EQ(segment_inode(), 0u);
    });
}

TEST(space_faults, a_rank_killed_while_spaces_are_made_stops_the_others_soon) {
    std::mt19937 random{2026};
    for (int round = 0; round < 25; ++round) {
        SCOPED_TRACE(round);
        auto const victim = random() % 3;
        auto const after = static_cast<useconds_t>(random() % 3000);
        auto const started = std::chrono::steady_clock::now();
        auto const statuses = testing::run_processes_for_status(
            3,
            [](bootstrap& boot) {
                try {
                    for (;;) static_cast<void>(make_space(boot, mib));
                } catch (error const& e) {
                    EXPECT_EQ(e.kind(), error_kind::peer) << e.what();
                }
            },
            {},
            [&](std::vector<pid_t> const& pids) {
                ::usleep(after);
                ::kill(pids[victim], SIGKILL);
            });
        for (std::size_t rank = 0; rank < 3; ++rank)
            if (rank == victim)
                EXPECT_TRUE(WIFSIGNALED(statuses[rank]));
            else
                EXPECT_EQ(statuses[rank], 0);
        EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds{30});
    }
}

} // namespace
} // namespace sode::internal
