// SPDX-License-Identifier: Apache-2.0
// What the probe makes of round trips between two cores, and that it ends where nobody answers.
#include "model/probe.hpp"

#include "support/mini_bootstrap.hpp"

#include <gtest/gtest.h>

#include <sched.h>

namespace sode::internal {
namespace {

using regime = pair_distance::regime;
using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t arena_bytes = std::size_t{4} << 20;

std::vector<std::size_t> usable_cores() {
    cpu_set_t allowed;
    std::vector<std::size_t> cores;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return cores;
    for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &allowed)) cores.push_back(core);
    return cores;
}

/// Binds the calling thread.
void pin_to(std::size_t core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    ASSERT_EQ(::sched_setaffinity(0, sizeof cores, &cores), 0);
}

TEST(probe, classifies_round_trips) {
    EXPECT_EQ(classify(80).kind, regime::near);
    EXPECT_EQ(classify(179).kind, regime::near);
    EXPECT_EQ(classify(180).kind, regime::between);
    EXPECT_EQ(classify(250).kind, regime::between);
    EXPECT_EQ(classify(251).kind, regime::far);
    EXPECT_EQ(classify(2000).kind, regime::unknown);
    EXPECT_EQ(classify(0).kind, regime::unknown);
    EXPECT_EQ(classify(0).round_trip_ns, 0);
    EXPECT_EQ(classify(300).round_trip_ns, 300);
}

TEST(probe, regimes_have_names) {
    EXPECT_EQ(to_string(regime::near), "near");
    EXPECT_EQ(to_string(regime::between), "between");
    EXPECT_EQ(to_string(regime::far), "far");
    EXPECT_EQ(to_string(regime::unknown), "unknown");
}

TEST(probe, tables_know_the_measured_pairs_and_no_others) {
    distance_table const table{{{0, 1, classify(100)}, {0, 2, classify(400)}, {2, 3, classify(200)}}};
    EXPECT_EQ(table.of(0, 1).kind, regime::near);
    EXPECT_EQ(table.of(2, 0).kind, regime::far);
    EXPECT_EQ(table.of(3, 2).kind, regime::between);
    EXPECT_EQ(table.of(1, 3).kind, regime::unknown);
    EXPECT_EQ(distance_table{}.of(0, 1).kind, regime::unknown);
}

/// Two ranks on cores of their own measure the same, and something that a cache line can take. The machine is shared with others,
/// so that a single probe may be disturbed.
void two_ranks_measure(bootstrap& boot) {
    auto const cores = usable_cores();
    if (cores.size() < 2) GTEST_SKIP() << "one core only";
    pin_to(cores[static_cast<std::size_t>(boot.rank())]);
    auto const memory = make_space(boot, arena_bytes);
    int const peer = 1 - boot.rank();
    std::byte* const line = memory->allocate(128);
    probe_lines lines{memory->offset(line), 0};
    std::array<std::uint64_t, 2> both{};
    boot.allgather(&lines.own, sizeof lines.own, both.data());
    lines.peer = both[static_cast<std::size_t>(peer)];

    bool measured = false;
    for (std::uint64_t turn = 1; turn <= 200 && !measured; ++turn) {
        boot.barrier();
        auto const mine = probe_pair(*memory, boot.rank(), peer, lines, turn);
        std::array<pair_distance, 2> results{};
        boot.allgather(&mine, sizeof mine, results.data());
        if (results[0].kind == regime::unknown || results[1].kind == regime::unknown) continue;
        EXPECT_EQ(results[0].round_trip_ns, results[1].round_trip_ns);
        EXPECT_EQ(results[0].kind, results[1].kind);
        EXPECT_GT(mine.round_trip_ns, 10);
        EXPECT_LT(mine.round_trip_ns, 2000);
        measured = true;
    }
    if (!measured) GTEST_SKIP() << "200 probes were all disturbed";
}
TEST(probe, two_processes_measure_the_same) {
    testing::run_processes(2, two_ranks_measure);
}
TEST(probe, two_threads_measure_the_same) {
    testing::run_threads(2, two_ranks_measure);
}

TEST(probe, ranks_that_share_a_core_say_unknown_in_time) {
    testing::run_processes(2, [](bootstrap& boot) {
        pin_to(usable_cores().front());
        auto const memory = make_space(boot, arena_bytes);
        static_cast<void>(memory->allocate(128));
        boot.barrier();
        auto const started = clock::now();
        auto const found = probe_pair(*memory, boot.rank(), 1 - boot.rank(), {0, 0}, 1);
        EXPECT_LT(clock::now() - started, milliseconds{60'000}); // 5 ms on a machine of our own
        EXPECT_EQ(found.kind, regime::unknown) << found.round_trip_ns;
    });
}

TEST(probe, a_peer_that_does_not_come_is_given_up) {
    testing::run_processes(2, [](bootstrap& boot) {
        auto const memory = make_space(boot, arena_bytes);
        static_cast<void>(memory->allocate(128));
        boot.barrier();
        if (boot.rank() == 0) {
            auto const started = clock::now();
            EXPECT_EQ(probe_pair(*memory, 0, 1, {0, 0}, 1, milliseconds{3}).kind, regime::unknown);
            EXPECT_GE(clock::now() - started, milliseconds{3});
        }
        boot.barrier();
    });
}

struct probe_of_a_job : ::testing::TestWithParam<int> {};

void every_rank_gets_the_same_table(bootstrap& boot) {
    auto const memory = make_space(boot, arena_bytes);
    auto const table = probe_job(boot, *memory);
    int const ranks = boot.size();
    std::size_t expected = 0;
    for (int a = 0; a < ranks; ++a)
        for (int bit = 1; bit <= 4; bit *= 2) expected += (a ^ bit) > a && (a ^ bit) < ranks;
    EXPECT_EQ(table.pairs().size(), expected);

    double sum = 0;
    for (auto const& p : table.pairs()) {
        EXPECT_LT(p.low, p.high);
        // Less than a core takes for two cache misses would be somebody else's words.
        EXPECT_TRUE(p.distance.kind == pair_distance::regime::unknown || p.distance.round_trip_ns > 10) << p.distance.round_trip_ns;
        sum = sum * 3 + p.distance.round_trip_ns;
    }
    std::vector<double> all(static_cast<std::size_t>(ranks));
    boot.allgather(&sum, sizeof sum, all.data());
    for (double const other : all) EXPECT_EQ(other, sum);
    EXPECT_EQ(memory->offset(memory->allocate(128)), 0u) << "the line was not released";
}
TEST_P(probe_of_a_job, of_processes_is_the_same_for_all) {
    testing::run_processes(GetParam(), every_rank_gets_the_same_table);
}
TEST_P(probe_of_a_job, of_threads_is_the_same_for_all) {
    testing::run_threads(GetParam(), every_rank_gets_the_same_table);
}
TEST(probe, ranks_that_enter_a_round_early_disturb_nobody) {
    testing::run_processes(4, [](bootstrap& boot) {
        auto const memory = make_space(boot, arena_bytes);
        for (int k = 0; k < 12; ++k) {
            auto const table = probe_job(boot, *memory);
            for (auto const& p : table.pairs())
                EXPECT_TRUE(p.distance.kind == pair_distance::regime::unknown || p.distance.round_trip_ns > 10)
                    << p.low << " and " << p.high;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(ranks, probe_of_a_job, ::testing::Values(1, 2, 3, 4, 8));

TEST(probe, a_job_probes_within_machines_only) {
    testing::mini_options options;
    options.machines = {0, 1, 0, 1};
    testing::run_processes(
        4,
        [](bootstrap& boot) {
            auto const memory = make_space(boot, arena_bytes);
            auto const table = probe_job(boot, *memory);
            // Of other machines' ranks a rank needs no distances: their ends are memory of theirs.
            ASSERT_EQ(table.pairs().size(), 1u);
            EXPECT_EQ(table.pairs()[0].low, boot.rank() % 2);
            EXPECT_EQ(table.pairs()[0].high, boot.rank() % 2 + 2);
        },
        options);
}

} // namespace
} // namespace sode::internal
