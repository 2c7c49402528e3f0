// SPDX-License-Identifier: Apache-2.0
// The makespan of exchanges small enough to be worked out by hand, and the choice among all assignments.
#include "model/makespan.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sode::internal {
namespace {

using ::testing::ElementsAre;

// 1 us, 1 ns a byte.
network simple(std::string name = "a") {
    return {.name = std::move(name), .protocols = {{.latency = 1000, .byte = 1}}};
}
network_edge message(int source, int target, int face, std::int64_t bytes, std::int64_t rows = 1) {
    return {.source = source, .target = target, .face = face, .bytes = bytes, .rows = rows, .row_bytes = bytes / rows};
}
double us(std::vector<network_edge> const& edges, std::vector<network> const& networks, std::vector<int> const& assignment) {
    return predict_makespan(edges, networks, assignment);
}

TEST(Makespan, OfOneMessage) {
    auto n = simple();
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 500)}, {n}, {0}), 1.5);
    n.protocols = {{.up_to_bytes = 100, .latency = 100, .byte = 2}, {.overhead = 10, .latency = 1000, .byte = 1, .host_byte = 0.5}};
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 100)}, {n}, {0}), 0.3);
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 101)}, {n}, {0}), 1e-3 * (2 * (10 + 50.5) + 1000 + 101));
    EXPECT_DOUBLE_EQ(predict_message(message(0, 1, 0, 101), n), us({message(0, 1, 0, 101)}, {n}, {0}));
    EXPECT_EQ(us({}, {n}, {}), 0);
}

TEST(Makespan, RowsArePackedOrMovedAsTheyLie) {
    auto n = simple();
    n.pack = 100, n.pack_row = 3, n.pack_byte = 0.1, n.row = 5;
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 640, 10)}, {n}, {0}), 1e-3 * (1000 + 640 + 2 * (100 + 30 + 64)));
    n.strided_from = 64;
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 640, 10)}, {n}, {0}), 1e-3 * (1000 + 640 + 50));
    n.strided_from = 65;
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 640, 10)}, {n}, {0}), 1e-3 * (1000 + 640 + 2 * (100 + 30 + 64)));
    EXPECT_DOUBLE_EQ(us({message(0, 1, 0, 640)}, {n}, {0}), 1.64) << "one row needs neither";
}

TEST(Makespan, OneEngineSendsOneAfterAnother) {
    auto n = simple();
    std::vector const two{message(0, 1, 0, 500), message(0, 2, 1, 700)};
    EXPECT_DOUBLE_EQ(us(two, {n}, {0, 0}), 2.2) << "one link";
    n.links = 2;
    EXPECT_DOUBLE_EQ(us(two, {n}, {0, 0}), 1.7) << "two";
    n.serial = true;
    EXPECT_DOUBLE_EQ(us(two, {n}, {0, 0}), 2.2) << "two, but one engine";
}

TEST(Makespan, ATargetsLinksAreShared) {
    auto n = simple();
    std::vector const two{message(1, 0, 0, 500), message(2, 0, 1, 700)};
    EXPECT_DOUBLE_EQ(us(two, {n}, {0, 0}), 2.2);
    n.links = 2, n.serial = true;
    EXPECT_DOUBLE_EQ(us(two, {n}, {0, 0}), 1.7);
}

TEST(Makespan, NetworksWorkAtTheSameTime) {
    std::vector const two{message(0, 1, 0, 500), message(0, 2, 1, 700)};
    EXPECT_DOUBLE_EQ(us(two, {simple("a"), simple("b")}, {0, 1}), 1.7);
    EXPECT_DOUBLE_EQ(us(two, {simple("a"), simple("b")}, {1, 1}), 2.2);
}

// Two devices of a machine are joined by a link of their own; between machines there is one network for all.
TEST(ChooseNetworks, DevicesOfAMachineHaveANetworkOfTheirOwn) {
    auto link = simple("link"), all = simple("all");
    link.within = 2, link.protocols.front().latency = 10;
    std::vector<network_edge> edges;
    for (int d = 0; d < 4; ++d) {
        edges.push_back(message(d, d ^ 1, 0, 500)); // within a machine
        edges.push_back(message(d, d ^ 2, 1, 500));
    }
    EXPECT_TRUE(std::isinf(us(edges, {link, all}, {0, 0})));
    auto const choice = choose_networks(edges, std::vector{link, all});
    EXPECT_THAT(choice.assignment, ElementsAre(0, 1));
    EXPECT_DOUBLE_EQ(choice.expected_us, 1.5);
    EXPECT_THAT(choice.runner_up, ElementsAre(1, 1));
    EXPECT_THAT(choose_networks(std::vector{edges[0], edges[2]}, std::vector{link}).assignment, ElementsAre(0));
    EXPECT_THROW(static_cast<void>(choose_networks(edges, std::vector{link})), error);
}

TEST(Makespan, TheCoreStartsTheLongestWayFirst) {
    auto slow = simple("slow"), fast = simple("fast");
    slow.protocols.front().overhead = fast.protocols.front().overhead = 400;
    fast.protocols.front().latency = 0;
    // 400 + 1000 + 900 on its way while the other is started; then both are received.
    std::vector const two{message(0, 1, 0, 100), message(0, 2, 1, 900)};
    EXPECT_DOUBLE_EQ(us(two, {fast, slow}, {0, 1}), 0.4 + 1.9 + 0.4);
    EXPECT_DOUBLE_EQ(us(two, {slow, fast}, {1, 0}), 0.4 + 1.9 + 0.4) << "however they are numbered";
}

TEST(Makespan, ACoreUnpacksOneAfterAnother) {
    auto n = simple();
    n.protocols.front().overhead = 300;
    n.links = 2;
    EXPECT_DOUBLE_EQ(us({message(1, 0, 0, 500), message(2, 0, 1, 500)}, {n}, {0, 0}), 0.3 + 1.5 + 2 * 0.3);
}

struct exchange {
    std::vector<network_edge> edges;
    std::vector<network> networks;
};

exchange random_exchange(std::mt19937& random, int faces, int count) {
    auto const any = [&](int lowest, int highest) { return std::uniform_int_distribution{lowest, highest}(random); };
    exchange x;
    for (int i = 0; i < count; ++i)
        x.networks.push_back({.name = std::to_string(i),
                              .protocols = {{.overhead = 1. * any(0, 500), .latency = 1. * any(0, 5000), .byte = 0.1 * any(1, 20)}},
                              .strided_from = any(0, 1) * 64,
                              .row = 1. * any(0, 5),
                              .pack = 1. * any(0, 1000),
                              .pack_row = 1. * any(0, 10),
                              .serial = any(0, 1) == 1,
                              .links = any(1, 3)});
    for (int machine = 0; machine < 6; ++machine)
        for (int f = 0; f < faces; ++f) {
            auto const rows = std::int64_t{1} << any(0, 6);
            x.edges.push_back(message(machine, (machine + 1 + f) % 6, f, rows * any(8, 4000), rows));
        }
    return x;
}

TEST(ChooseNetworks, FindsTheBestOfAll) {
    std::mt19937 random{20151121};
    for (int round = 0; round < 60; ++round) {
        auto const x = random_exchange(random, 4, 1 + round % 3);
        auto const chosen = choose_networks(x.edges, x.networks);
        int const n = static_cast<int>(x.networks.size());
        std::vector<double> all;
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                for (int c = 0; c < n; ++c)
                    for (int d = 0; d < n; ++d) all.push_back(us(x.edges, x.networks, {a, b, c, d}));
        std::sort(all.begin(), all.end());
        EXPECT_EQ(chosen.expected_us, all.front()) << round;
        EXPECT_EQ(chosen.expected_us, us(x.edges, x.networks, chosen.assignment)) << round;
        EXPECT_EQ(chosen.runner_up.empty(), n == 1) << round;
        if (n > 1) {
            EXPECT_EQ(chosen.runner_up_us, all[1]) << round;
        }
    }
}

TEST(ChooseNetworks, IsNeverWorseThanOneNetworkAlone) {
    std::mt19937 random{7};
    for (int round = 0; round < 6; ++round) {
        auto const x = random_exchange(random, 14, 3);
        auto const chosen = choose_networks(x.edges, x.networks);
        EXPECT_EQ(chosen.expected_us, us(x.edges, x.networks, chosen.assignment));
        for (int n = 0; n < 3; ++n) EXPECT_LE(chosen.expected_us, us(x.edges, x.networks, std::vector<int>(14, n)));
    }
}

TEST(ChooseNetworks, BalancesEqualNetworks) {
    std::vector<network_edge> edges;
    for (int f = 0; f < 20; ++f) edges.push_back(message(0, 1, f, 1000));
    auto const chosen = choose_networks(edges, std::vector{simple("a"), simple("b")});
    EXPECT_EQ(std::count(chosen.assignment.begin(), chosen.assignment.end(), 0), 10) << "too many faces to try all";
}

TEST(ChooseNetworks, OfEqualsTakesTheCheaper) {
    // The second face hides behind the first on either network.
    auto quick = simple("quick");
    quick.protocols.front().latency = 10;
    std::vector const edges{message(0, 1, 0, 100000), message(2, 3, 1, 10)};
    auto slow = simple("slow");
    slow.protocols.front().byte = 2;
    EXPECT_THAT(choose_networks(edges, std::vector{slow, quick}).assignment, ElementsAre(1, 1));
}

TEST(ChooseNetworks, NeedsOne) {
    EXPECT_THROW(static_cast<void>(choose_networks(std::vector{message(0, 1, 0, 8)}, {})), error);
    EXPECT_TRUE(choose_networks({}, std::vector{simple()}).assignment.empty());
}

} // namespace
} // namespace sode::internal
