// SPDX-License-Identifier: Apache-2.0
// From times of copies and messages to the constants of derived datatypes: times that predict() itself gives must give the
// constants back that it was given.
#include "tune/datatype_estimate.hpp"
#include "tune/estimate.hpp"
#include "tune/options.hpp"
#include "tune/report.hpp"

#include <sode/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::tools {
namespace {

constexpr std::array distances{distance::near, distance::far};

// Constants that are neither the built-in ones nor each other's.
profile some_machine() {
    profile p;
    p.of(distance::near).datatypes = {900, 700, 1.5, 2.5, 0.11, 1500, 3.1, 6.2, 4.3, 5.4, 0.085, 350, 3};
    p.of(distance::far).datatypes = {2100, 1300, 2.9, 3.9, 0.31, 3500, 8.1, 16.2, 21.3, 7.4, 0.19, 800, 5};
    p.copied_row = 0.7;
    p.packed_row = 0.9;
    p.missed_line = 1.9;
    p.new_layout = 12e3;
    p.new_layout_entry = 17;
    p.core_cache_bytes = 1 << 20;
    return p;
}

double predicted_ns(layout const& where, message_path how, distance apart, std::int64_t eager_bytes, profile const& p) {
    auto m = features_of(where, apart);
    m.eager_bytes = eager_bytes;
    return 1e3 * predict(m, how, p);
}

copy_times copies_on(profile p, distance apart) {
    p.of(distance::near).memory.flag = p.of(distance::far).memory.flag = 0; // copies alone
    for (auto* const at : {&p.of(distance::near).datatypes, &p.of(distance::far).datatypes}) at->handshake = at->stage = 0;
    copy_times t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = predicted_ns(copy_samples()[i].where, copy_samples()[i].how, apart, 0, p);
    return t;
}

void expect_equal(copy_costs const& a, copy_costs const& b) {
    EXPECT_NEAR(a.line, b.line, 1e-6);
    EXPECT_NEAR(a.sparse_line, b.sparse_line, 1e-6);
    EXPECT_NEAR(a.push, b.push, 1e-6);
    EXPECT_NEAR(a.sparse_push, b.sparse_push, 1e-6);
    EXPECT_NEAR(a.stage_byte, b.stage_byte, 1e-8);
    EXPECT_NEAR(a.page, b.page, 1e-6);
    EXPECT_NEAR(a.copied_row, b.copied_row, 1e-6);
    EXPECT_NEAR(a.packed_row, b.packed_row, 1e-6);
    EXPECT_NEAR(a.missed_line, b.missed_line, 1e-6);
}

TEST(TuneDatatypes, CopiesGiveTheirConstantsBack) {
    for (auto const apart : distances) {
        profile const real = some_machine();
        profile known;
        known.core_cache_bytes = real.core_cache_bytes;
        expect_equal(estimate(copies_on(real, apart), apart, known), copies_in(real, apart));
    }
}

TEST(TuneDatatypes, SamplesFitIntoTheMemoryThatIsThereForThem) {
    constexpr std::int64_t stage = 256 << 10; // workplace.hpp
    for (auto const& [where, how] : copy_samples()) {
        EXPECT_GE(where.extent().first, 0);
        EXPECT_LE(where.extent().second, copy_sample_extent);
        EXPECT_LE(where.bytes(), tune_shapes::big.back()); // of what they are rewritten from
        if (how == message_path::staged) {
            EXPECT_LE(where.bytes(), stage);
        }
    }
    std::vector<layout> messages{typed_samples().begin(), typed_samples().end()};
    for (auto const& l : {new_samples().fields, new_samples().list, new_samples().longer}) messages.push_back(l);
    for (auto const& where : messages) {
        EXPECT_GE(where.extent().first, 0);
        EXPECT_LE(where.extent().second, typed_sample_extent);
    }
    EXPECT_FALSE(new_samples().longer.list.empty()) << "no nest, and without a period";
    EXPECT_EQ(new_samples().longer.list.size(), 5000U);
}

TEST(TuneDatatypes, WhatNoCopyDependsOnStays) {
    profile real = some_machine();
    real.core_cache_bytes = 1 << 30; // nothing is missed
    profile known;
    known.core_cache_bytes = real.core_cache_bytes;
    auto const c = estimate(copies_on(real, distance::near), distance::near, known);
    EXPECT_EQ(c.missed_line, known.missed_line);
    EXPECT_NEAR(c.line, real.of(distance::near).datatypes.line, 1e-6);
}

TEST(TuneDatatypes, NoiseMakesNothingNegative) {
    copy_times t{};
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = i % 3 == 0 ? 0 : 1e4 / static_cast<double>(i);
    auto const c = median(std::vector{estimate(t, distance::near, profile{})});
    for (double const value :
         {c.line, c.sparse_line, c.push, c.sparse_push, c.stage_byte, c.copied_row, c.packed_row, c.missed_line}) {
        EXPECT_GT(value, 0);
        EXPECT_LT(value, 1e6);
    }
}

typed_times messages_on(profile const& p, distance apart, std::int64_t eager_bytes, bool reachable) {
    typed_times t;
    for (std::size_t i = 0; i < t.plain.size(); ++i)
        t.plain[i] = predicted_ns(typed_samples()[i], message_path::plain, apart, eager_bytes, p);
    auto const once = rows_of(moved_rows, moved_row_bytes, moved_pitch),
               twice = rows_of(2 * moved_rows, moved_row_bytes, moved_pitch);
    if (reachable) {
        t.direct = predicted_ns(once, message_path::direct, apart, 0, p);
        t.direct_twice = predicted_ns(twice, message_path::direct, apart, 0, p);
    }
    t.staged = predicted_ns(once, message_path::staged, apart, 0, p);
    t.staged_twice = predicted_ns(twice, message_path::staged, apart, 0, p);
    t.fields_numbers = 4;
    t.list_numbers = 2003;
    t.new_fields = p.new_layout + t.fields_numbers * p.new_layout_entry;
    t.new_list = p.new_layout + t.list_numbers * p.new_layout_entry;
    t.longer_numbers = 10'003;
    t.new_longer = p.new_layout + t.longer_numbers * p.new_layout_entry;
    return t;
}

void expect_equal(typed_costs const& a, typed_costs const& b) {
    EXPECT_NEAR(a.mpi, b.mpi, 1e-3);
    EXPECT_NEAR(a.mpi_asking, b.mpi_asking, 1e-3);
    EXPECT_NEAR(a.mpi_row, b.mpi_row, 1e-6);
    EXPECT_NEAR(a.mpi_list_row, b.mpi_list_row, 1e-6);
    EXPECT_NEAR(a.mpi_byte, b.mpi_byte, 1e-7);
    EXPECT_NEAR(a.handshake, b.handshake, 1e-3);
    EXPECT_NEAR(a.stage, b.stage, 1e-3);
    EXPECT_NEAR(a.new_layout, b.new_layout, 1e-3);
    EXPECT_NEAR(a.new_layout_entry, b.new_layout_entry, 1e-6);
}

TEST(TuneDatatypes, MessagesGiveTheirConstantsBack) {
    for (auto const apart : distances)
        for (bool const reachable : {false, true})
            for (double const handshake : {300.0, 1500.0, 9000.0}) // part of packing is hidden behind it, or all
                for (std::int64_t const eager_bytes : {4096, 16384, 65536}) {
                    profile real = some_machine();
                    real.of(distance::near).datatypes.handshake = real.of(distance::far).datatypes.handshake = handshake;
                    profile known = real; // copies are measured without an MPI
                    typed_costs other = typed_in(profile{}, apart);
                    if (!reachable) other.stage = typed_in(real, apart).stage; // cannot be told from the handshake then
                    put(other, apart, known);
                    auto const t = messages_on(real, apart, eager_bytes, reachable);
                    expect_equal(estimate(t, {apart, eager_bytes, reachable}, known), typed_in(real, apart));
                }
}

TEST(TuneDatatypes, AnMpiThatNeverAsksLeavesThatConstantAlone) {
    profile const real = some_machine();
    profile known = real;
    put(typed_in(profile{}, distance::near), distance::near, known);
    auto const t = messages_on(real, distance::near, 1 << 20, false);
    auto const c = estimate(t, {distance::near, 1 << 20, false}, known);
    EXPECT_EQ(c.mpi_asking, known.of(distance::near).datatypes.mpi_asking);
    EXPECT_NEAR(c.mpi, real.of(distance::near).datatypes.mpi, 1e-3);
}

TEST(TuneDatatypes, WhatCannotBeExplainedIsSharedOutByFactors) {
    // A constant for two messages that differ for no reason that predict() knows: as many times too long for the one as too short
    // for the other.
    static constexpr std::array<profile_field, 1> message{[](profile& p) -> double& { return p.of(distance::near).datatypes.mpi; }};
    profile p;
    p.of(distance::near).datatypes.mpi_byte = 0;
    auto what = features_of(contiguous(0, 8), distance::near);
    what.eager_bytes = what.bytes;
    std::array const messages{timed_message{what, message_path::plain, 1000}, timed_message{what, message_path::plain, 4000}};
    fit(p, message, messages);
    EXPECT_NEAR(p.of(distance::near).datatypes.mpi, 2000, 1);
}

TEST(TuneReport, MemoryAndMpiAreMeasuredApart) {
    profile const real = some_machine();
    campaign_result memory;
    memory.near.assign(3, {.flag = 50, .stream_byte = 1, .row = 1, .short_row = 1, .stage_byte = 1});
    auto const core_cache = conclude({}).costs.core_cache_bytes; // as this machine says
    EXPECT_GT(core_cache, 0);
    profile here = real;
    here.core_cache_bytes = core_cache;
    memory.near_copies.assign(3, copies_on(here, distance::near));
    auto t = conclude(memory);
    EXPECT_NEAR(t.costs.of(distance::near).datatypes.line, real.of(distance::near).datatypes.line, 1e-6);
    EXPECT_EQ(t.costs.of(distance::near).datatypes.mpi, profile{}.of(distance::near).datatypes.mpi);
    EXPECT_EQ(t.costs.of(distance::far).datatypes.line, profile{}.of(distance::far).datatypes.line);
    EXPECT_THAT(table(t), ::testing::HasSubstr("datatypes by an MPI, near: unseen"));

    conclude_typed(t, {.mpi = "An MPI 1.0", .near = {5, typed_in(real, distance::near)}, .far = {}});
    EXPECT_EQ(t.costs.of(distance::near).datatypes.mpi, 900);
    EXPECT_EQ(t.costs.of(distance::near).datatypes.handshake, 1500);
    EXPECT_EQ(t.costs.new_layout, 12e3);
    EXPECT_EQ(t.costs.of(distance::far).datatypes.mpi, profile{}.of(distance::far).datatypes.mpi);
    EXPECT_NEAR(t.costs.of(distance::near).datatypes.line, real.of(distance::near).datatypes.line, 1e-6);
    EXPECT_EQ(t.origin.samples.mpi_near, 5);
    EXPECT_EQ(t.origin.unseen, (std::vector<std::string>{"far", "local", "network", "mpi_far"}));
    EXPECT_THAT(table(t), ::testing::HasSubstr("by An MPI 1.0, near (5 blocks)"));

    // They stay when the memory is measured once more, and when nothing is seen of it.
    auto again = conclude({});
    keep_what_was_seen(again, t);
    EXPECT_EQ(again.costs.of(distance::near).datatypes.mpi, 900);
    EXPECT_EQ(again.costs.new_layout, 12e3);
    EXPECT_EQ(again.origin.mpi, "An MPI 1.0");
    EXPECT_NEAR(again.costs.of(distance::near).datatypes.line, real.of(distance::near).datatypes.line, 1e-6);
    EXPECT_NEAR(again.costs.copied_row, real.copied_row, 1e-6);
    EXPECT_EQ(again.origin.samples.near, 3);

    // Those of another MPI replace them, unseen distances too.
    put(typed_in(real, distance::far), distance::far, t.costs);
    t.origin.samples.mpi_far = 2;
    conclude_typed(t, {.mpi = "Another 2.0", .near = {4, typed_in(profile{}, distance::near)}, .far = {}});
    EXPECT_EQ(t.costs.of(distance::near).datatypes.mpi, profile{}.of(distance::near).datatypes.mpi);
    EXPECT_EQ(t.costs.of(distance::far).datatypes.mpi, profile{}.of(distance::far).datatypes.mpi);
    EXPECT_EQ(t.origin.samples.mpi_far, 0);
    EXPECT_NEAR(t.costs.of(distance::near).datatypes.line, real.of(distance::near).datatypes.line, 1e-6) << "belongs to no MPI";
}

TEST(TuneOptions, GoThroughWords) {
    tune_options options;
    options.output = "/a b/c.json";
    options.quick = options.print = true;
    auto const same = read_words(words_of(options));
    EXPECT_EQ(same.output, options.output);
    EXPECT_TRUE(same.quick);
    EXPECT_TRUE(same.print);
    EXPECT_TRUE(words_of({}).empty());
    EXPECT_THROW(static_cast<void>(read_words({"-o"})), error);
    EXPECT_THROW(static_cast<void>(read_words({"--slow"})), error);
}

} // namespace
} // namespace sode::internal::tools
