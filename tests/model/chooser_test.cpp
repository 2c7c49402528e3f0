// SPDX-License-Identifier: Apache-2.0
// The chooser picks the way that was measured to be the fastest, or the one that is forced, and names the runner-up.
#include "model/chooser.hpp"

#include "channel/device_costs.hpp"
#include "channel/ways.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace sode;
using namespace sode::internal;

// One face of a block between two ranks, and what exchanging it was measured to take by the fastest of three methods
// (docs/decisions/0003-cost-model.md says on what and how).
struct measured {
    char const* name;
    std::int64_t rows;
    std::int64_t row_bytes;
    std::int64_t pitch;
    distance apart;
    way const* fastest;
    double us;
};

constexpr auto near = distance::near;
constexpr auto far = distance::far;

std::vector<measured> const faces{
    {"64^3 x", 1, 64 * 64 * 8, 0, near, &ways::pull, 0.81},
    {"64^3 x", 1, 64 * 64 * 8, 0, far, &ways::pull, 2.72},
    {"64^3 y", 64, 64 * 8, 66 * 66 * 8, near, &ways::pull, 1.19},
    {"64^3 y", 64, 64 * 8, 66 * 66 * 8, far, &ways::stage_wide, 4.11},
    {"64^3 z", 64 * 64, 8, 66 * 8, near, &ways::stage, 5.12},
    {"64^3 z", 64 * 64, 8, 66 * 8, far, &ways::stage_wide, 8.16},
    {"128^3 x", 1, 128 * 128 * 8, 0, near, &ways::pull, 2.47},
    {"128^3 x", 1, 128 * 128 * 8, 0, far, &ways::pull, 6.46},
    {"128^3 z", 128 * 128, 8, 130 * 8, near, &ways::stage, 25.0},
    {"8192^2 x", 1, 8192 * 8, 0, near, &ways::pull, 1.43},
    {"8192^2 x", 1, 8192 * 8, 0, far, &ways::pull, 3.26},
    {"1024^2 z", 1024, 8, 1026 * 8, near, &ways::stage, 1.30},
    {"1024^2 z", 1024, 8, 1026 * 8, far, &ways::stage_wide, 2.54},
    {"8192^2 z", 8192, 8, 8194 * 8, near, &ways::stage, 73},
};

edge_features features(measured const& m) {
    return {.bytes = m.rows * m.row_bytes,
            .rows = m.rows,
            .row_bytes = m.row_bytes,
            .pitch = m.pitch,
            .apart = m.apart,
            .acknowledged = true};
}

// Paper P0: over the link between sockets small faces go directly, large ones by the host.
TEST(Chooser, TakesDevicesOfDifferentSocketsByTheHost) {
    auto const chosen = [](std::int64_t bytes, bool far_devices, profile const& p) {
        edge_features const e{.bytes = bytes, .row_bytes = bytes, .on_device = true, .far_devices = far_devices};
        return choose(e, p, nullptr).how;
    };
    profile p;
    EXPECT_EQ(chosen(8 << 10, true, p), &ways::device_pull);
    EXPECT_EQ(chosen(1 << 20, true, p), &ways::device_stage);
    EXPECT_EQ(chosen(1 << 20, false, p), &ways::device_pull);
    p.devices.far_byte = p.devices.byte; // as fast as any
    EXPECT_EQ(chosen(1 << 20, true, p), &ways::device_pull);
}

// One stage after the other, and in segments: while one is in the second stage, the next is in the first.
TEST(Chooser, CutsFacesThatCrossTheBusWhereThatIsQuicker) {
    profile p;
    edge_features e{.shared = false, .on_device = true};
    auto const chosen = [&](std::int64_t bytes) {
        e.bytes = e.row_bytes = bytes;
        e.segment = device_cost::segment_of(e, bytes, p);
        return choose(e, p, nullptr);
    };
    EXPECT_EQ(chosen(64 << 10).how, &ways::device_stage);
    EXPECT_EQ(e.segment, 0);
    auto const long_one = chosen(64 << 20);
    EXPECT_EQ(long_one.how, &ways::device_segments);
    EXPECT_EQ(long_one.runner_up, &ways::device_stage);
    EXPECT_LT(long_one.expected.total(), 0.6 * long_one.instead.total());
    EXPECT_GT(e.segment, 1 << 20);
    auto const long_segment = e.segment;
    p.devices.turn /= 100; // what is cheap to begin with is cut more finely
    static_cast<void>(chosen(64 << 20));
    EXPECT_LT(e.segment, long_segment / 2);
    e.apart = distance::other_machine;
    auto const in_a_message = chosen(64 << 20).expected.total(); // the slowest of three stages hides the others
    EXPECT_GT(e.segment, 0);
    e.segment = 0;
    EXPECT_LT(in_a_message, 0.75 * choose(e, p, nullptr).expected.total());
    e.mpi_takes = true;
    static_cast<void>(chosen(64 << 20));
    EXPECT_EQ(e.segment, 0); // its own affair
}

// As P0 has it of MVAPICH2-GDR: directly, by the host, in a pipeline.
TEST(Chooser, MessagesOfDeviceMemoryHaveProtocolsBySize) {
    profile p;
    edge_features e{.row_bytes = 1, .apart = distance::other_machine, .on_device = true, .mpi_takes = true};
    auto const us = [&](std::int64_t bytes) {
        e.bytes = e.row_bytes = bytes;
        return choose(e, p, nullptr).expected.microseconds();
    };
    double const as_of_the_host = us(100'000);
    p.devices.messages = {{.up_to_bytes = 8192, .latency = 6000, .byte = 3.4},
                          {.up_to_bytes = 262144, .latency = 20000, .byte = 0.5},
                          {.latency = 30000, .byte = 0.3}};
    EXPECT_NEAR(us(8192), 6 + 8192 * 3.4e-3, 1e-9);
    EXPECT_NEAR(us(100'000), 20 + 100, 50);
    EXPECT_NEAR(us(1'000'000), 30 + 300, 1e-6);
    EXPECT_NE(us(100'000), as_of_the_host);
    e.mpi_takes = false; // over the bus at both ends
    EXPECT_NEAR(us(100'000), as_of_the_host + 2 * (8 + 100'000 * 0.041e-3), 3);
}

TEST(Chooser, PicksWhatWasMeasuredToBeFastest) {
    for (auto const& m : faces) {
        auto const c = choose(features(m), profile{}, nullptr);
        EXPECT_EQ(c.how, m.fastest) << m.name << (m.apart == near ? ", near" : ", far") << ": " << c.how->name() << ' '
                                    << c.expected.microseconds() << " us, then " << c.runner_up->name() << ' '
                                    << c.instead.microseconds() << " us";
    }
}

TEST(Chooser, PredictsWhatWasMeasuredWithinAHalf) {
    for (auto const& m : faces) {
        auto const us = m.fastest->cost(features(m), profile{}).microseconds();
        EXPECT_LT(us, 1.5 * m.us) << m.name << (m.apart == near ? ", near" : ", far");
        EXPECT_GT(us, m.us / 1.5) << m.name << (m.apart == near ? ", near" : ", far");
    }
}

TEST(Chooser, ForcedIsForcedAndComparedWithTheBestOther) {
    for (auto const& m : faces)
        for (auto how : {&ways::pull, &ways::stage, &ways::stage_wide, &ways::reference}) {
            auto const c = choose(features(m), profile{}, how);
            EXPECT_TRUE(c.forced);
            EXPECT_EQ(c.how, how);
            EXPECT_NE(c.runner_up, how);
            EXPECT_EQ(c.expected.microseconds(), how->cost(features(m), profile{}).microseconds());
            EXPECT_EQ(c.instead.microseconds(), c.runner_up->cost(features(m), profile{}).microseconds());
        }
}

// Nobody can pull out of memory that a user brought.
TEST(Chooser, StagesWhatTheTargetCannotLoad) {
    for (auto const& m : faces)
        for (way const* how : {static_cast<way const*>(nullptr), &ways::pull, &ways::reference}) {
            auto e = features(m);
            e.shared = false;
            auto const c = choose(e, profile{}, how);
            EXPECT_EQ(c.forced, how != nullptr);
            for (auto m2 : {c.how, c.runner_up}) EXPECT_TRUE(m2 == &ways::stage || m2 == &ways::stage_wide) << m2->name();
            EXPECT_EQ(c.expected.microseconds(), c.how->cost(e, profile{}).microseconds());
            if (how) {
                EXPECT_EQ(c.how, &ways::stage);
            }
        }
}

TEST(Chooser, RowsOfAMessageTravelAsTheyLieWhereTheGapsAreSmall) {
    edge_features face{.bytes = 64 * 512, .rows = 64, .row_bytes = 512, .pitch = 528, .apart = distance::other_machine};
    profile const p;
    auto const packed = ways::mpi.cost(face, p).microseconds();
    EXPECT_FALSE(travels_as_it_lies(face, p)) << "it cannot";
    face.span = 63 * 528 + 512;
    EXPECT_TRUE(travels_as_it_lies(face, p));
    EXPECT_LT(ways::mpi.cost(face, p).microseconds(), packed);
    face.span = 63 * 1024 + 512;
    EXPECT_FALSE(travels_as_it_lies(face, p)) << "as many bytes again";
    EXPECT_EQ(ways::mpi.cost(face, p).microseconds(), packed);
}

TEST(Chooser, RunnerUpIsTheSecondCheapest) {
    for (auto const& m : faces) {
        auto const c = choose(features(m), profile{}, nullptr);
        EXPECT_FALSE(c.forced);
        EXPECT_LE(c.expected.microseconds(), c.instead.microseconds());
        for (auto how : {&ways::pull, &ways::stage, &ways::stage_wide})
            if (how != c.how) {
                EXPECT_LE(c.instead.microseconds(), how->cost(features(m), profile{}).microseconds());
            }
    }
}

TEST(Chooser, PatternsByRows) {
    profile const p;
    EXPECT_EQ(pattern_of({.bytes = 512, .rows = 1, .row_bytes = 512}, p), pattern::contiguous);
    EXPECT_EQ(pattern_of({.bytes = 4 * 512, .rows = 4, .row_bytes = 512}, p), pattern::block_strided);
    EXPECT_EQ(pattern_of({.bytes = 4 * 48, .rows = 4, .row_bytes = 48}, p), pattern::block_strided);
    EXPECT_EQ(pattern_of({.bytes = 4 * 47, .rows = 4, .row_bytes = 47}, p), pattern::strided);
}

} // namespace
