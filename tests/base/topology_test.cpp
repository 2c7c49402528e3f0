// SPDX-License-Identifier: Apache-2.0
// What hwloc counts, and how ranks are spread over cores.
#include "base/topology.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

TEST(Topology, CountsWhatThereIs) {
    topology const machine;
    auto const here = processor_set::of_this_thread();
    EXPECT_GE(machine.packages(), 1);
    EXPECT_GE(machine.numa_nodes(), 1);
    EXPECT_GE(machine.processors(), here.count());
    EXPECT_GE(machine.cores_in(here), 1);
    EXPECT_LE(machine.cores_in(here), here.count());
    EXPECT_NE(machine.tree().find("NUMA node 0"), std::string::npos);
}

TEST(Topology, SpreadsRanksOverCores) {
    topology const machine;
    auto const here = processor_set::of_this_thread();
    int const cores = machine.cores_in(here);
    for (int ranks = 1; ranks <= cores; ++ranks) {
        auto const places = machine.spread(ranks, here);
        ASSERT_EQ(places.size(), static_cast<std::size_t>(ranks));
        processor_set together;
        int sum = 0;
        for (auto const& p : places) {
            EXPECT_GE(p.count(), 1);
            sum += p.count();
            together |= p;
        }
        EXPECT_EQ(sum, together.count()) << "ranks share processors although there are enough";
        EXPECT_EQ(sum, here.count()) << "processors are left over";
    }
}

TEST(Topology, SharesCoresInTurnWhenRanksAreMore) {
    topology const machine;
    auto const here = processor_set::of_this_thread();
    int const cores = machine.cores_in(here);
    auto const places = machine.spread(2 * cores + 1, here);
    ASSERT_EQ(places.size(), static_cast<std::size_t>(2 * cores + 1));
    EXPECT_EQ(places[0].to_string(), places[static_cast<std::size_t>(cores)].to_string());
}

TEST(Topology, KeepsToTheProcessorsItIsGiven) {
    topology const machine;
    processor_set one;
    one.insert(processor_set::of_this_thread().numbers().back());
    for (auto const& p : machine.spread(3, one)) EXPECT_EQ(p.to_string(), one.to_string());
    EXPECT_EQ(machine.spread(1, one)[0].to_string(), one.to_string());
}

} // namespace
} // namespace sode::internal
