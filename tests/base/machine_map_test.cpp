// SPDX-License-Identifier: Apache-2.0
// A map of machines says what the list it was made from says, and needs a table only where ranks are dealt out irregularly.
#include "base/machine_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sode::internal {
namespace {

void expect_like(std::vector<int> const& machine_of) {
    machine_map const m{machine_of};
    ASSERT_EQ(m.ranks(), static_cast<int>(machine_of.size()));
    if (std::ranges::all_of(machine_of, [&](int one) { return one == machine_of.front(); })) {
        EXPECT_TRUE(m.one());
        EXPECT_EQ(m.list(), std::vector<int>(machine_of.size(), 0));
        return;
    }
    EXPECT_EQ(m.list(), machine_of);
    std::vector<std::vector<int>> ranks(static_cast<std::size_t>(m.machines()));
    for (std::size_t r = 0; r < machine_of.size(); ++r)
        ranks[static_cast<std::size_t>(machine_of[r])].push_back(static_cast<int>(r));
    for (int machine = 0; machine < m.machines(); ++machine) {
        std::vector<int> on;
        for (int const r : m.on(machine)) on.push_back(r);
        EXPECT_EQ(on, ranks[static_cast<std::size_t>(machine)]);
        EXPECT_EQ(m.on(machine).size(), static_cast<int>(on.size()));
        for (int i = 0; i < m.on(machine).size(); ++i) {
            EXPECT_EQ(m.on(machine)[i], on[static_cast<std::size_t>(i)]);
            EXPECT_EQ(m.place(on[static_cast<std::size_t>(i)]), i);
        }
        for (int r = 0; r < m.ranks(); ++r)
            EXPECT_EQ(m.on(machine).place_of(r), m.of(r) == machine ? m.place(r) : -1) << "rank " << r;
        EXPECT_EQ(m.on(machine).place_of(-1), -1);
        EXPECT_EQ(m.on(machine).place_of(m.ranks()), -1);
    }
}

TEST(machine_map, says_what_the_list_says) {
    for (auto const& list : std::vector<std::vector<int>>{{0},
                                                          {0, 0, 0},
                                                          {0, 0, 1, 1},
                                                          {0, 0, 0, 1},
                                                          {0, 1, 0, 1},
                                                          {0, 1, 0},
                                                          {0, 1, 2},
                                                          {0, 1, 1},
                                                          {1, 0},
                                                          {2, 2, 0},
                                                          {0, 2, 0}})
        expect_like(list);
    std::mt19937 random(1);
    for (int c = 0; c < 300; ++c) {
        std::vector<int> list(1 + random() % 20);
        for (int& m : list) m = static_cast<int>(random() % 4);
        expect_like(list);
    }
}

TEST(machine_map, regular_placements_need_no_table) {
    std::vector<int> filled, in_turn, anyhow;
    for (int r = 0; r < 1000; ++r) filled.push_back(r / 48), in_turn.push_back(r % 48), anyhow.push_back(r / 48 ^ 1);
    EXPECT_EQ(machine_map{1000}.table().size_bytes(), 0U);
    EXPECT_TRUE(machine_map{1000}.one());
    EXPECT_EQ(machine_map{filled}.table().size_bytes(), 0U);
    EXPECT_EQ(machine_map{in_turn}.table().size_bytes(), 0U);
    EXPECT_EQ(machine_map{anyhow}.table().size_bytes(), 8U * 1000);
}

} // namespace
} // namespace sode::internal
