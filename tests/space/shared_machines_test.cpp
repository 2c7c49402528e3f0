// SPDX-License-Identifier: Apache-2.0
// Which machine each rank is on lies once on a machine, where nobody can write it.
#include "space/shared_machines.hpp"

#include "support/mini_bootstrap.hpp"

#include <signal.h>

#include <algorithm>
#include <fstream>

namespace sode::internal::testing {
namespace {

/// The file behind the mapping in which `address` lies; empty: none.
std::string file_at(void const* address) {
    std::ifstream maps{"/proc/self/maps"};
    auto const wanted = reinterpret_cast<std::uintptr_t>(address);
    for (std::string line; std::getline(maps, line);) {
        auto const dash = line.find('-');
        if (std::stoull(line, nullptr, 16) > wanted || std::stoull(line.substr(dash + 1), nullptr, 16) <= wanted) continue;
        auto const fields = line.substr(line.find(' ') + 1); // access, offset, device, inode, name
        return line.find("memfd:") == std::string::npos ? "" : fields.substr(0, 4) + fields.substr(14, fields.find("/memfd") - 14);
    }
    return "";
}

void expect_list(machine_map const& map, std::vector<int> const& list) {
    EXPECT_EQ(map.list(), list);
    for (int r = 0; r < map.ranks(); ++r) EXPECT_EQ(map.on(map.of(r))[map.place(r)], r);
}

std::vector<int> members_of(std::vector<int> const& list, int rank) {
    std::vector<int> members;
    for (std::size_t r = 0; r < list.size(); ++r)
        if (list[r] == list[static_cast<std::size_t>(rank)]) members.push_back(static_cast<int>(r));
    return members;
}

struct shared_machines_of : ::testing::TestWithParam<std::vector<int>> {};

TEST_P(shared_machines_of, processes_are_one_file_that_nobody_writes) {
    auto const& list = GetParam();
    auto const share = [&](bootstrap& boot) {
        auto const map = shared_machines(boot);
        expect_list(map, list);
        auto const mates = members_of(list, boot.rank());
        auto const found = map.table().empty() ? std::string{} : file_at(map.table().data());
        EXPECT_EQ(!found.empty(), !map.table().empty() && mates.size() > 1);
        auto const all = boot.allgather(found);
        for (int const r : mates) EXPECT_EQ(all[static_cast<std::size_t>(r)], found) << "rank " << r;
        if (!found.empty()) {
            EXPECT_EQ(found.substr(0, 4), "r--p");
        }
    };
    run_processes(static_cast<int>(list.size()), share, {.machines = list});
}

TEST_P(shared_machines_of, threads_are_one_table) {
    auto const& list = GetParam();
    auto const share = [&](bootstrap& boot) {
        auto const map = shared_machines(boot);
        expect_list(map, list);
        int const* const mine = map.table().data();
        std::vector<int const*> all(list.size());
        // NOLINTNEXTLINE(bugprone-sizeof-expression): it is the pointer that is sent
        boot.allgather(&mine, sizeof mine, all.data());
        for (int const r : members_of(list, boot.rank())) EXPECT_EQ(all[static_cast<std::size_t>(r)], mine) << "rank " << r;
    };
    run_threads(static_cast<int>(list.size()), share, {.machines = list});
}

INSTANTIATE_TEST_SUITE_P(lists, shared_machines_of,
                         ::testing::Values(std::vector{0}, std::vector{0, 0, 0}, std::vector{0, 1, 0, 1}, std::vector{0, 1, 1},
                                           std::vector{0, 1, 0, 2, 1, 0}, std::vector{0, 1, 1, 0, 2, 2, 0, 1}));

TEST(shared_machines, a_store_into_the_table_is_a_fault) {
    auto const statuses = run_processes_for_status(3,
                                                   [](bootstrap& boot) {
                                                       auto const map = shared_machines(boot);
                                                       boot.barrier();
                                                       ::signal(SIGSEGV, SIG_DFL);
                                                       if (boot.rank() == 1) *const_cast<int volatile*>(map.table().data()) = 7;
                                                       boot.barrier();
                                                   },
                                                   {.machines = {0, 1, 1}});
    EXPECT_TRUE(WIFSIGNALED(statuses[1]) && WTERMSIG(statuses[1]) == SIGSEGV);
}

} // namespace
} // namespace sode::internal::testing
