// SPDX-License-Identifier: Apache-2.0
// From times to constants: times that the cost model itself would have predicted must give its constants back.
#include "tune/estimate.hpp"
#include "tune/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

using namespace tune_shapes;

pair_times predicted(pair_costs const& c) {
    pair_times t;
    t.round_trip = 2 * c.flag;
    for (std::size_t i = 0; i < pulled.size(); ++i) t.pulled[i] = c.stream_byte * static_cast<double>(pulled[i]);
    t.rows = static_cast<double>(rows) * (c.row + c.stream_byte * row_bytes);
    t.short_rows = static_cast<double>(short_rows) * (c.short_row + c.stream_byte * short_row_bytes);
    t.pack_private = 3000;
    t.unpack_private = 4000;
    double const stage = c.stage_byte * static_cast<double>(short_rows * short_row_bytes);
    t.pack_shared = t.pack_private + stage / 4;
    t.unpack_shared = t.unpack_private + stage * 3 / 4;
    return t;
}

void expect_equal(pair_costs const& a, pair_costs const& b) {
    EXPECT_NEAR(a.flag, b.flag, 1e-9);
    EXPECT_NEAR(a.stream_byte, b.stream_byte, 1e-9);
    EXPECT_NEAR(a.row, b.row, 1e-6);
    EXPECT_NEAR(a.short_row, b.short_row, 1e-6);
    EXPECT_NEAR(a.stage_byte, b.stage_byte, 1e-9);
}

TEST(TuneEstimate, GivesTheConstantsOfAPairBack) {
    profile const p;
    expect_equal(estimate(predicted(p.of(distance::near).memory)), p.of(distance::near).memory);
    expect_equal(estimate(predicted(p.of(distance::far).memory)), p.of(distance::far).memory);
}

TEST(TuneEstimate, GivesTheConstantsOfOneCoreBack) {
    profile const p;
    local_times t;
    for (std::size_t i = 0; i < cached.size(); ++i) t.cached[i] = p.local_byte * static_cast<double>(cached[i]);
    for (std::size_t i = 0; i < big.size(); ++i) t.big[i] = p.local_byte_big * static_cast<double>(big[i]);
    double const row = p.pack_row + p.local_byte * short_row_bytes;
    t.pack = static_cast<double>(short_rows) * (row - 0.1);
    t.unpack = static_cast<double>(short_rows) * (row + 0.1);
    t.far_rows = static_cast<double>(far_rows) * row + static_cast<double>(far_rows - p.cached_pages) * p.far_row_page;
    profile q;
    q.pack_row = q.far_row_page = q.local_byte = q.local_byte_big = -1;
    estimate(t, q);
    EXPECT_NEAR(q.pack_row, p.pack_row, 1e-9);
    EXPECT_NEAR(q.far_row_page, p.far_row_page, 1e-9);
    EXPECT_NEAR(q.local_byte, p.local_byte, 1e-9);
    EXPECT_NEAR(q.local_byte_big, p.local_byte_big, 1e-9);
}

TEST(TuneEstimate, FindsTheCostsOfMessages) {
    message_costs const real{.overhead = 250, .latency = 1200, .byte = 0.08, .host_byte = 0.03};
    auto const one_way = [&](double bytes) { return 2 * real.overhead + real.latency + bytes * (real.byte + 2 * real.host_byte); };
    auto const send = [&](double bytes) { return real.overhead + bytes * real.host_byte; };
    auto const c =
        estimate(message_times{.small = one_way(8), .large = one_way(65536), .send_small = send(8), .send_medium = send(4096)});
    EXPECT_NEAR(c.overhead, 250, 1); // that of eight bytes
    EXPECT_NEAR(c.latency, 1200, 1);
    EXPECT_NEAR(c.byte, 0.08, 1e-6);
    EXPECT_NEAR(c.host_byte, 0.03, 1e-6);
    // Of noise, nothing becomes negative, and no core spends more on a byte than it takes.
    auto const noise = median(std::vector{estimate(message_times{.small = 10, .large = 5, .send_small = 20, .send_medium = 90})});
    EXPECT_GT(noise.latency, 0);
    EXPECT_GT(noise.byte, 0);
    EXPECT_EQ(noise.host_byte, 0);
}

TEST(TuneReport, MessagesAreAddedToWhatThereIs) {
    tuned t;
    t.costs.network.eager_bytes = 1234;
    t.costs.of(distance::near).memory.flag = 17;
    t.origin.samples.near = 3;
    conclude_messages(t, std::vector<message_costs>(5, {.overhead = 1, .latency = 2, .byte = 3, .host_byte = 4}));
    EXPECT_EQ(t.costs.network.latency, 2);
    EXPECT_EQ(t.costs.network.eager_bytes, 1234);
    EXPECT_EQ(t.costs.of(distance::near).memory.flag, 17);
    EXPECT_EQ(t.origin.samples.network, 5);
    EXPECT_EQ(t.origin.unseen, (std::vector<std::string>{"far", "local", "mpi_near", "mpi_far"}));
    EXPECT_THAT(table(t), ::testing::HasSubstr("network (5 blocks)"));
    // And they stay, when the machine is measured once more.
    tuned again;
    keep_what_was_seen(again, t);
    EXPECT_EQ(again.costs.network.latency, 2);
    EXPECT_EQ(again.origin.samples.network, 5);
}

TEST(TuneEstimate, TakesTheMedianOfBlocks) {
    EXPECT_EQ(median(std::vector<double>{3, 1, 100}), 3);
    EXPECT_EQ(median(std::vector<double>{4, 1, 100, 2}), 3);
    EXPECT_EQ(median(std::vector<double>{7}), 7);
    pair_costs const usual = profile{}.of(distance::near).memory;
    std::vector<pair_costs> blocks(5, usual);
    blocks[1] = {.flag = 1e6, .stream_byte = 1e6, .row = 1e6, .short_row = 1e6, .stage_byte = 1e6}; // the core was taken away
    blocks[3] = {.flag = 0, .stream_byte = 0, .row = -5, .short_row = 0, .stage_byte = -3};
    expect_equal(median(blocks), usual);
}

TEST(TuneEstimate, WhatCannotBeMeasuredIsSmallAndPositive) {
    std::vector<pair_costs> const blocks(
        3, pair_costs{.flag = 50, .stream_byte = 0.01, .row = -2, .short_row = 0, .stage_byte = -0.1});
    auto const c = median(blocks);
    EXPECT_GT(c.row, 0);
    EXPECT_LT(c.row, 1);
    EXPECT_GT(c.short_row, 0);
    EXPECT_GT(c.stage_byte, 0);
    EXPECT_EQ(c.flag, 50);
}

campaign_result seen(std::size_t near, std::size_t far) {
    campaign_result r;
    r.near.assign(near, {.flag = 11, .stream_byte = 1, .row = 1, .short_row = 1, .stage_byte = 1});
    r.far.assign(far, {.flag = 99, .stream_byte = 1, .row = 1, .short_row = 1, .stage_byte = 1});
    r.local.resize(2);
    return r;
}

TEST(TuneReport, WhatWasNotSeenKeepsItsDefault) {
    auto const t = conclude(seen(4, 0));
    EXPECT_EQ(t.costs.of(distance::near).memory.flag, 11);
    EXPECT_EQ(t.costs.of(distance::far).memory.flag, profile{}.of(distance::far).memory.flag);
    EXPECT_EQ(t.origin.samples.near, 4);
    EXPECT_EQ(t.origin.samples.far, 0);
    EXPECT_EQ(t.origin.unseen, (std::vector<std::string>{"far", "network", "mpi_near", "mpi_far"}));
    EXPECT_THAT(table(t), ::testing::AllOf(::testing::HasSubstr("near (4 blocks)"), ::testing::HasSubstr("far: unseen")));
}

TEST(TuneReport, WhatAnEarlierRunHadSeenOnThisProcessorStays) {
    auto now = conclude(seen(4, 0));
    auto const earlier = conclude(seen(0, 9));
    keep_what_was_seen(now, earlier);
    EXPECT_EQ(now.costs.of(distance::near).memory.flag, 11);
    EXPECT_EQ(now.costs.of(distance::far).memory.flag, 99);
    EXPECT_EQ(now.origin.samples.far, 9);
    EXPECT_EQ(now.origin.unseen, (std::vector<std::string>{"network", "mpi_near", "mpi_far"}));

    auto elsewhere = earlier;
    elsewhere.origin.cpu = "another";
    elsewhere.costs.networks = {{.name = "written by hand", .protocols = {{}}}};
    now = conclude(seen(4, 0));
    keep_what_was_seen(now, elsewhere);
    EXPECT_EQ(now.costs.of(distance::far).memory.flag, profile{}.of(distance::far).memory.flag);
    EXPECT_EQ(now.costs.networks.size(), 1U);

    now = conclude(seen(0, 3));
    now.costs.of(distance::far).memory.flag = 88;
    keep_what_was_seen(now, earlier);
    EXPECT_EQ(now.costs.of(distance::far).memory.flag, 88) << "what is new counts";
}

} // namespace
} // namespace sode::internal::tools
