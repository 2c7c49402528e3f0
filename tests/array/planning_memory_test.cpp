// SPDX-License-Identifier: Apache-2.0
// What a rank keeps of a plan does not depend on how many ranks there are: memory is counted, for jobs of 1,000, 10,000 and 100,000
// ranks on machines of 8, of which one rank plans in this process.
#include "array/dry_exchange.hpp"
#include "array/halo/halo_plan.hpp"
#include "support/counted_memory.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

// Machines are blocks of 2 x 2 x 2 nodes of the rank grid, numbered in its order.
dry_exchange periodic_cube(std::array<int, 3> const& n) {
    int const ranks = n[0] * n[1] * n[2];
    auto x = cube(ranks, {n[0], n[1], n[2]}, false, nullptr);
    std::vector<int> machine_of;
    for (int r = 0; r < ranks; ++r) {
        int const i = r / (n[1] * n[2]), j = r / n[2] % n[1], k = r % n[2];
        machine_of.push_back((i / 2 * (n[1] / 2) + j / 2) * (n[2] / 2) + k / 2);
    }
    x.spec.machines = machine_of;
    return x;
}

struct memory {
    std::size_t kept = 0;      ///< by the plan and what it is made from
    std::size_t meanwhile = 0; ///< at most, while it was built
    bool operator==(memory const&) const = default;
};

memory planning(halo_spec const& spec, int rank) {
    static_cast<void>(build_halo(spec, rank)); // what is made once for all plans
    auto const before = held.load();
    most_held = before;
    halo_spec const kept = spec;
    auto const p = build_halo(kept, rank);
    EXPECT_EQ(p.notes.size(), 26U);
    return {held - before, most_held - before};
}

constexpr std::array<int, 3> jobs[] = {{10, 10, 10}, {20, 20, 26}, {40, 50, 50}}; // 1,000 to 100,000 ranks

TEST(planning_memory, is_independent_of_the_ranks_where_pairs_exchange_messages) {
    std::vector<memory> seen;
    for (auto const& n : jobs) {
        auto x = periodic_cube(n);
        x.spec.pretended = true;
        seen.push_back(planning(x.spec, (2 * n[1] + 2) * n[2] + 2));
        EXPECT_EQ(seen.back().kept, seen.front().kept) << x.spec.ranks() << " ranks";
        // Meanwhile there is a word or two for each coordinate of the rank grid.
        EXPECT_LT(seen.back().meanwhile, seen.front().meanwhile + 4096) << x.spec.ranks() << " ranks";
    }
    EXPECT_GT(seen.front().kept, 10000U) << "something is counted";
}

// Which rank of a machine sends and receives what all have for another machine depends on the numbers of both, so those of one
// machine are looked at together; and memory grows in steps.
TEST(planning_memory, is_independent_of_the_ranks_where_machines_exchange_messages) {
    std::vector<double> seen;
    for (auto const& n : jobs) {
        auto const x = periodic_cube(n);
        double all = 0;
        for (int const r : x.spec.machines.on((n[1] / 2 + 1) * (n[2] / 2) + 1))
            all += static_cast<double>(planning(x.spec, r).kept);
        seen.push_back(all);
        EXPECT_NEAR(seen.back() / seen.front(), 1, 0.05) << x.spec.ranks() << " ranks";
    }
}

} // namespace
} // namespace sode::internal::testing
