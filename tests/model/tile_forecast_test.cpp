// SPDX-License-Identifier: Apache-2.0
// Several steps at a time on machines that are not here: messages divided by the steps, what is computed twice, and where it pays;
// numbers that were worked out by hand.
#include "model/tile_forecast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sode::internal {
namespace {

// 10 us, 1 ns a byte: so far away that nothing but the number of messages counts.
network far_away() {
    return {.name = "far", .protocols = {{.overhead = 500, .latency = 10'000, .byte = 1}}};
}

TEST(TileForecast, MessagesAreDividedByTheSteps) {
    block_grid const row{.extents = {64, 64}, .blocks = {4, 1}}, square{.extents = {90, 90}, .blocks = {3, 3}};
    std::vector const networks{far_away()};
    for (std::int64_t const k : {1, 2, 4, 8}) {
        EXPECT_DOUBLE_EQ(forecast_tiles(row, k, {1, 1}, networks).messages, 2.0 / static_cast<double>(k));
        EXPECT_DOUBLE_EQ(forecast_tiles(square, k, {1, 1}, networks).messages, (k == 1 ? 4.0 : 8.0) / static_cast<double>(k));
    }
    // Both halves, as wide as all of them: twice the bytes of single steps, in rows of the whole width.
    EXPECT_DOUBLE_EQ(forecast_tiles(row, 1, {1, 1}, networks).bytes, 2 * 64 * 8);
    EXPECT_DOUBLE_EQ(forecast_tiles(row, 8, {1, 1}, networks).bytes, 2 * 2 * 64 * 8);
}

TEST(TileForecast, FacesAreThoseOfAnExchangeAsWide) {
    std::mt19937 random{20261125};
    for (int c = 0; c < 200; ++c) {
        block_grid g{.periodic = random() % 2 == 0};
        for (int d = 1 + static_cast<int>(random() % 3); d > 0; --d) {
            g.blocks.push_back(1 + static_cast<int>(random() % 4));
            g.extents.push_back(g.blocks.back() * (8 + static_cast<std::int64_t>(random() % 9)) +
                                static_cast<std::int64_t>(random() % 3));
        }
        auto const k = std::min<std::int64_t>(most_steps(g), 2 + static_cast<std::int64_t>(random() % 7));
        auto wide = g;
        wide.width = k;
        auto const all = edges_before(g, k);
        for (auto const& face : edges_of(wide)) {
            // Of two blocks in a circle both neighbours are one machine: the face tells them apart.
            auto const same = std::ranges::count_if(all, [&](network_edge const& e) {
                return e.source == face.source && e.target == face.target && e.face == face.face && e.bytes == 2 * face.bytes &&
                       e.rows == 2 * face.rows && e.row_bytes == face.row_bytes;
            });
            EXPECT_EQ(same, 1) << c;
        }
        EXPECT_EQ(edges_before(g, 1).size(), edges_of(g).size());
    }
}

TEST(TileForecast, WhatIsComputedTwice) {
    block_grid const two{.extents = {100}, .blocks = {2}}, three{.extents = {150}, .blocks = {3}, .width = 2};
    std::vector const networks{far_away()};
    // The last of four steps is the block alone, the first has three elements more on the side of the neighbour.
    EXPECT_DOUBLE_EQ(forecast_tiles(two, 4, {1, 1}, networks).points, 50 + 1.5);
    EXPECT_DOUBLE_EQ(forecast_tiles(three, 4, {1, 1}, networks).points, 50 + 2 * 2 * 1.5);
    EXPECT_EQ(most_steps(two), 50);
    EXPECT_EQ(most_steps(three), 25);
}

TEST(TileForecast, PaysWhereLatencyCounts) {
    std::vector const networks{far_away()};
    // 64 x 64 a machine: 4 us of computing, and more than 10 us until a message is there.
    block_grid const small{.extents = {64 * 16, 64}, .blocks = {16, 1}};
    auto const one = forecast_tiles(small, 1, {1, 1}, networks), eight = forecast_tiles(small, 8, {1, 1}, networks);
    EXPECT_GT(one.exchange_us, 10);
    EXPECT_LT(eight.exchange_us, one.exchange_us / 2);
    EXPECT_LT(eight.step_us(), one.step_us() / 1.5);
    // 4096 x 4096 a machine, from memory: what is saved on the way is nothing beside the computing …
    block_grid const large{.extents = {4096 * 4, 4096}, .blocks = {4, 1}};
    auto const gain = [&](point_times const& point) {
        return forecast_tiles(large, 1, point, networks).step_us() / forecast_tiles(large, 8, point, networks).step_us();
    };
    EXPECT_NEAR(gain({1, 1}), 1, 0.01);
    // … but where the cache gives elements in a quarter of the time, that is what is gained.
    EXPECT_NEAR(gain({1, 0.25}), 1 / (0.25 + 4.0 / 3 * 0.75 / 8), 0.05);
}

} // namespace
} // namespace sode::internal
