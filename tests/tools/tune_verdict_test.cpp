// SPDX-License-Identifier: Apache-2.0
// Which constants `sode tune` may store: those of a good fit; not one that ends at the bound of its range; and none of a fit by
// which slower ways are chosen than by the built-in constants.
#include "tune/checks.hpp"
#include "tune/estimate.hpp"
#include "tune/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

// Recorded of 32 KiB in rows of 8 bytes between near cores, in nanoseconds: by the reader, the writer, and through a stage.
checked_pattern recorded(double fitted_direct, double fitted_staged) {
    return {"rows", {{"direct", 9200, fitted_direct, 8000}, {"push", 9900, 12000, 12000}, {"staged", 6400, fitted_staged, 9000}}};
}

TEST(TuneVerdict, WhatChoosesFasterWaysIsStored) {
    auto const v = judge(std::vector{recorded(9000, 6500)});
    EXPECT_TRUE(v.store);
    EXPECT_NEAR(v.ratio, 6400.0 / 9200, 1e-9);
    EXPECT_LT(v.error, v.built_in_error);
}

TEST(TuneVerdict, WhatChoosesTheSameIsStored) {
    auto const v = judge(std::vector{recorded(6000, 6500)});
    EXPECT_TRUE(v.store);
    EXPECT_EQ(v.ratio, 1);
}

TEST(TuneVerdict, WhatChoosesSlowerWaysIsNot) {
    checked_pattern worse = recorded(6000, 6500);
    worse.name = "worse";
    worse.ways[0].built_in = 9500; // the built-in constants choose the stage
    auto const alone = judge(std::vector{worse});
    EXPECT_FALSE(alone.store);
    EXPECT_NEAR(alone.ratio, 9200.0 / 6400, 1e-9);
    // One that is so much slower counts, however much the others gain.
    auto const among = judge(std::vector{recorded(9000, 6500), recorded(9000, 6500), worse});
    EXPECT_LT(among.ratio, 1);
    EXPECT_EQ(among.worst_at, "worse");
    EXPECT_FALSE(among.store);
}

TEST(TuneVerdict, NothingSpeaksAgainstWhatWasNotChecked) {
    EXPECT_TRUE(judge({}).store);
}

// The times that a machine of these constants would show.
copy_times copies_on(profile p, distance apart) {
    for (auto const d : {distance::near, distance::far}) {
        p.of(d).memory.flag = 0;
        p.of(d).datatypes.handshake = p.of(d).datatypes.stage = 0;
    }
    copy_times t{};
    for (std::size_t i = 0; i < t.size(); ++i)
        t[i] = 1e3 * predict(features_of(copy_samples()[i].where, apart), copy_samples()[i].how, p);
    return t;
}

TEST(TuneVerdict, AFitWithinItsRangesHoldsNothing) {
    profile real;
    real.of(distance::near).datatypes.line = 7;
    real.copied_row = 0.9;
    auto const fitted = fit_copies(std::vector{copies_on(real, distance::near)}, distance::near, profile{});
    EXPECT_THAT(fitted.at_bound, ::testing::IsEmpty());
    EXPECT_NEAR(fitted.costs.line, 7, 1e-6);
    EXPECT_NEAR(fitted.costs.copied_row, 0.9, 1e-6);
}

TEST(TuneVerdict, AConstantAtTheBoundKeepsItsValueAndIsNamed) {
    profile real;
    real.of(distance::near).datatypes.sparse_line = 0;
    real.of(distance::near).datatypes.line = 6;
    profile const known;
    auto const fitted = fit_copies(std::vector{copies_on(real, distance::near)}, distance::near, known);
    EXPECT_THAT(fitted.at_bound, Contains("sparse_line"));
    EXPECT_EQ(fitted.costs.sparse_line, known.of(distance::near).datatypes.sparse_line);
    EXPECT_THAT(fitted.at_bound, Not(Contains("line")));
    EXPECT_GT(fitted.costs.line, 1);
}

TEST(TuneVerdict, TimesThatAreNoneHoldEverything) {
    profile const known;
    auto const fitted = fit_copies(std::vector{copy_times{}}, distance::far, known);
    for (auto const& c : all_copy_constants())
        if (auto const value = fitted.costs.*c.value; value <= c.least) ADD_FAILURE() << c.name << " is " << value;
}

TEST(TuneVerdict, BoundsOfAPairAndOfACore) {
    profile const usual;
    pair_costs c = usual.of(distance::near).memory;
    c.stream_byte = 0.5;
    c.stage_byte = 0.001;
    EXPECT_EQ(hold_bounds(c, usual.of(distance::near).memory), (std::vector<std::string_view>{"stage_byte"}));
    EXPECT_EQ(c.stage_byte, usual.of(distance::near).memory.stage_byte);
    EXPECT_EQ(c.stream_byte, 0.5);
    profile p;
    p.far_row_page = 0.05;
    EXPECT_EQ(hold_bounds(p, usual), (std::vector<std::string_view>{"far_row_page"}));
    EXPECT_EQ(p.far_row_page, usual.far_row_page);
}

// A campaign on a machine of the built-in constants, but for what the fit is led to believe.
campaign_result campaign_of(pair_costs const& seen, check_times const& times) {
    campaign_result r;
    r.near.push_back(seen);
    r.near_copies.push_back(copies_on(profile{}, distance::near));
    r.near_checks.push_back(times);
    return r;
}

// Pulling always takes this long, and a stage that.
check_times always(double pull, double stage) {
    check_times t{};
    for (auto& one : t) one = {pull, stage, 2 * stage};
    return t;
}

TEST(TuneVerdict, AProfileThatChoosesWorseIsNotStored) {
    profile const built_in;
    pair_costs wrong = built_in.of(distance::near).memory;
    wrong.row = 1000; // nothing of rows would ever be pulled
    auto const bad = conclude(campaign_of(wrong, always(1000, 3000)));
    EXPECT_THAT(bad.origin.not_stored, Contains("halos"));
    EXPECT_EQ(bad.costs.of(distance::near).memory.row, built_in.of(distance::near).memory.row);
    EXPECT_THAT(checks_table(bad), HasSubstr("not stored, the built-in ones stay"));
    auto const good = conclude(campaign_of(wrong, always(3000, 1000)));
    EXPECT_THAT(good.origin.not_stored, Not(Contains("halos")));
    EXPECT_EQ(good.costs.of(distance::near).memory.row, 1000);
}

// Messages by plain, direct, both, push and staged took so long.
message_check_times took(std::array<double, message_paths> const& ns) {
    message_check_times t{};
    t.fill(ns);
    return t;
}

TEST(TuneVerdict, ConstantsOfAnMpiThatChooseWorseAreNotStored) {
    profile const built_in;
    auto costs = typed_in(built_in, distance::near);
    costs.handshake = 1e6; // all would be left to MPI
    typed_result r{.mpi = "An MPI 1.0", .near = {5, costs}, .far = {}};
    r.how = {.eager_bytes = 4096, .reachable = true};
    r.near_checks.assign(5, took({50e3, 10e3, 10e3, 10e3, 10e3}));
    tuned bad;
    conclude_typed(bad, r);
    EXPECT_THAT(bad.origin.not_stored, ::testing::ElementsAre("messages of datatypes by an MPI"));
    EXPECT_EQ(bad.costs.of(distance::near).datatypes.handshake, built_in.of(distance::near).datatypes.handshake);
    EXPECT_THAT(checks_table(bad), HasSubstr("not stored, the built-in ones stay"));

    r.near_checks.assign(5, took({5e3, 10e3, 10e3, 10e3, 10e3}));
    conclude_typed(bad, r); // once more, on a machine where that is right
    EXPECT_THAT(bad.origin.not_stored, ::testing::IsEmpty());
    EXPECT_EQ(bad.costs.of(distance::near).datatypes.handshake, 1e6);
}

TEST(TuneVerdict, ConstantsOfCopiesGoAsWellIfMessagesSaySo) {
    profile const built_in;
    tuned t;
    for (auto const apart : {distance::near, distance::far}) {
        auto& d = t.costs.of(apart).datatypes;
        d.line = d.sparse_line = d.push = d.sparse_push = 1e3;
        d.stage_byte = 100; // nothing but MPI seems to pay
    }
    typed_result r{.mpi = "An MPI 1.0", .near = {5, typed_in(built_in, distance::near)}, .far = {}};
    r.how = {.eager_bytes = 4096, .reachable = true};
    r.near_checks.assign(5, took({50e3, 10e3, 10e3, 10e3, 10e3}));
    conclude_typed(t, r);
    EXPECT_THAT(t.origin.not_stored, ::testing::ElementsAre("messages of datatypes by an MPI", "messages of datatypes"));
    EXPECT_EQ(t.costs.of(distance::near).datatypes.line, built_in.of(distance::near).datatypes.line);
    EXPECT_EQ(t.costs.of(distance::near).datatypes.stage_byte, built_in.of(distance::near).datatypes.stage_byte);
}

TEST(TuneVerdict, BoundsOfAnMpi) {
    auto const usual = typed_in(profile{}, distance::near);
    auto c = usual;
    c.mpi_row = 0.01;
    c.stage = 0; // as built in
    EXPECT_EQ(hold_bounds(c, usual), (std::vector<std::string_view>{"mpi_row"}));
    EXPECT_EQ(c.mpi_row, usual.mpi_row);
}

TEST(TuneVerdict, ChecksAreOfPatternsThatNothingIsFittedTo) {
    for (auto const& c : checks()) {
        EXPECT_GE(c.where.extent().first, 0) << c.name;
        EXPECT_LE(c.where.extent().second, copy_sample_extent) << c.name;
        EXPECT_LE(c.where.bytes(), std::int64_t{256} << 10) << c.name; // workplace.hpp
        for (auto const& s : copy_samples()) EXPECT_FALSE(s.where == c.where) << c.name;
    }
    EXPECT_EQ(message_checks().size(), message_check_count);
    for (auto const& c : message_checks()) EXPECT_LE(c.where.extent().second, typed_sample_extent) << c.name;
}

} // namespace
} // namespace sode::internal::tools
