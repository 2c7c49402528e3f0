// SPDX-License-Identifier: Apache-2.0
// Of MPI messages, too, the path is chosen that was measured to be the fastest.
#include "model/message_path.hpp"

#include <gtest/gtest.h>

namespace sode::internal {
namespace {

/// `rows` rows of `row_bytes` on each side, of whose lines `density` is used.
message_features message(index_t rows, index_t row_bytes, double density, distance apart, bool reachable = true) {
    message_features m;
    m.bytes = rows * row_bytes;
    m.source = m.target = {rows == 1         ? pattern::contiguous
                           : row_bytes >= 48 ? pattern::block_strided
                                             : pattern::strided,
                           rows, row_bytes, 0, density};
    m.apart = apart;
    m.reachable = reachable;
    m.least_bytes = m.eager_bytes = 4096;
    return m;
}

message_path chosen(message_features const& m) {
    return choose(m, profile{}, std::nullopt).how;
}

// The patterns of paper P1's table, and what was fastest there (within the spread of its measurements).
TEST(MessagePath, ChoosesWhatWasMeasuredToBeFastest) {
    auto const near = distance::near;
    auto const far = distance::far;
    EXPECT_EQ(chosen(message(8'000, 24, 0.85, near)), message_path::both); // LAMMPS_full, 196 KB
    EXPECT_EQ(chosen(message(8'000, 24, 0.85, far)), message_path::both);
    EXPECT_EQ(chosen(message(256, 4'096, 1.0, near)), message_path::both); // NAS_MG_y, 1 MB
    EXPECT_EQ(chosen(message(256, 4'096, 1.0, far)), message_path::both);
    EXPECT_EQ(chosen(message(4'096, 8, 0.125, far)), message_path::staged);  // NAS_MG_x, 32 KB
    EXPECT_EQ(chosen(message(14'800, 12, 0.16, far)), message_path::staged); // SPECFEM3D_cm, 178 KB
    EXPECT_EQ(chosen(message(3'225, 4, 0.06, near)), message_path::staged);  // SPECFEM3D_oc, 12.9 KB
    EXPECT_EQ(chosen(message(3'225, 4, 0.06, far)), message_path::staged);
    EXPECT_EQ(chosen(message(60, 8, 0.5, near)), message_path::plain); // NAS_LU_y, 480 bytes
}

TEST(MessagePath, WithoutCommonMemoryOnlyAStageHelps) {
    EXPECT_EQ(chosen(message(8'000, 24, 0.85, distance::near, false)), message_path::staged);
    EXPECT_EQ(chosen(message(14'800, 12, 0.16, distance::far, false)), message_path::staged);
}

TEST(MessagePath, ShortMessagesAreLeftToMpi) {
    message_features m = message(500, 8, 0.125, distance::near);
    m.least_bytes = m.bytes;
    for (auto const forced : {message_path::direct, message_path::both, message_path::push, message_path::staged}) {
        EXPECT_EQ(choose(m, profile{}, forced).how, message_path::plain);
        EXPECT_FALSE(choose(m, profile{}, forced).forced);
    }
    EXPECT_EQ(propose(m, profile{}), proposal::leave);
    m.offered = true; // too late to say so
    EXPECT_NE(chosen(m), message_path::plain);
}

TEST(MessagePath, ForcedPathsAreTakenWhereTheyCanBe) {
    message_features const m = message(4'000, 8, 0.125, distance::near);
    for (auto const forced :
         {message_path::plain, message_path::direct, message_path::both, message_path::push, message_path::staged}) {
        auto const c = choose(m, profile{}, forced);
        EXPECT_EQ(c.how, forced);
        EXPECT_TRUE(c.forced);
        EXPECT_DOUBLE_EQ(c.expected_us, predict(m, forced, profile{}));
    }
    message_features const apart = message(4'000, 8, 0.125, distance::near, false);
    EXPECT_EQ(choose(apart, profile{}, message_path::both).how, message_path::staged);
    message_features small = message(600, 8, 0.125, distance::near);
    EXPECT_EQ(choose(small, profile{}, message_path::both).how, message_path::both);
    small.offered = true;
    EXPECT_NE(choose(small, profile{}, message_path::plain).how, message_path::plain);
}

// As measured on a Sapphire Rapids (docs/lab-book.md), near.
TEST(MessagePath, ChoosesWhatIsFastestOnASapphireRapidsToo) {
    auto const near = distance::near;
    EXPECT_EQ(chosen(message(512, 8'192, 1.0, near)), message_path::both);   // NAS_MG_z, 4 MB
    EXPECT_EQ(chosen(message(64, 1'024, 0.98, near)), message_path::both);   // NAS_MG_z, 64 KB
    EXPECT_EQ(chosen(message(4'096, 8, 0.125, near)), message_path::staged); // NAS_MG_x, 32 KB
    EXPECT_EQ(chosen(message(16'384, 8, 0.125, near)), message_path::staged);
    EXPECT_EQ(chosen(message(14'336, 12, 0.167, near)), message_path::staged); // WRF_x, 172 KB
    EXPECT_EQ(chosen(message(768, 120, 0.83, near)), message_path::both);      // WRF_y, 92 KB
    EXPECT_EQ(chosen(message(1'020, 40, 0.42, near)), message_path::both);     // NAS_LU_y, 40 KB
    message_features scattered = message(1'020, 40, 0.42, near);               // the same, each row on a page of its own
    scattered.source.extent = scattered.target.extent = {0, 1'020 * 40'960};
    EXPECT_EQ(chosen(scattered), message_path::staged);
    message_features column = message(128, 40, 0.42, near); // of a wavefront, 5 KB
    column.eager_bytes = column.bytes;
    EXPECT_EQ(chosen(column), message_path::plain);
}

TEST(MessagePath, WhoIsBusyReceivingDoesNotHelp) {
    message_features m = message(16'384, 16, 1.0, distance::near); // a block of a transposition
    EXPECT_EQ(chosen(m), message_path::both);
    m.mutual = true;
    EXPECT_EQ(chosen(m), message_path::direct);
}

TEST(MessagePath, SendersProposeWhatSuitsTheLikelyReceivers) {
    auto const proposed = [](message_features const& m) { return propose(m, profile{}); };
    EXPECT_EQ(proposed(message(512, 8'192, 1.0, distance::near)), proposal::offer);
    EXPECT_EQ(proposed(message(4'096, 8, 0.125, distance::near)), proposal::pack); // before the receiver has come
    message_features column = message(128, 40, 0.42, distance::near);
    column.eager_bytes = column.bytes;
    EXPECT_EQ(proposed(column), proposal::leave);
    EXPECT_EQ(proposed(message(8'000, 24, 0.85, distance::near, false)), proposal::pack);
}

TEST(MessagePath, RunnerUpCostsNoLess) {
    for (index_t const rows : {1, 10, 100, 1'000, 10'000, 100'000})
        for (index_t const row : {4, 24, 256, 8192})
            for (auto const apart : {distance::near, distance::far}) {
                auto const c = choose(message(rows, row, 0.3, apart), profile{}, std::nullopt);
                EXPECT_LE(c.expected_us, c.runner_up_us);
                EXPECT_GT(c.expected_us, 0);
            }
}

TEST(MessagePath, WhatAStageTakesCountsForStagesAlone) {
    message_features const m = message(1'000, 24, 0.85, distance::near);
    profile dear;
    dear.of(distance::near).datatypes.stage += 700;
    for (auto const how : {message_path::plain, message_path::direct, message_path::both, message_path::push})
        EXPECT_EQ(predict(m, how, dear), predict(m, how, profile{}));
    EXPECT_NEAR(predict(m, message_path::staged, dear), predict(m, message_path::staged, profile{}) + 0.7, 1e-9);
}

TEST(MessagePath, NamesRoundTrip) {
    for (auto const p : {message_path::plain, message_path::direct, message_path::both, message_path::push, message_path::staged})
        EXPECT_EQ(message_path_from(to_string(p)), p);
    EXPECT_FALSE(message_path_from("fastest"));
}

} // namespace
} // namespace sode::internal
