// SPDX-License-Identifier: Apache-2.0
// What verify() knows of counters that several ranks add to.
#include "plan/builder.hpp"
#include "plan/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace sode::internal {
namespace {

constexpr std::int64_t element = 8;

counter flag(int host, int writer, std::uint32_t index) {
    return {.host = host, .writer = writer, .index = index};
}
counter sum(int host, std::uint32_t index, std::int64_t step) {
    return {.host = host, .writer = -1, .index = index, .kind = counter_kind::sum, .step = step};
}

struct gather_options {
    bool throttled = true;      ///< senders wait for the collector's flag before the epoch ends
    std::int32_t threshold = 0; ///< on top of what all senders add
    int adds = 1;               ///< how many times each sender adds
};

struct job {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> arrays;
};

/// Rank 0 collects one element from the array of each other rank once a sum says that all are ready.
job gather(int ranks, gather_options const& o) {
    job j;
    for (int r = 0; r < ranks; ++r) {
        plan_builder b{"gather", r, ranks};
        auto const s = b.add_stream(-1);
        auto const ready = b.add(sum(0, 0, (ranks - 1) * o.adds));
        auto const taken = b.add(flag(0, 0, 1));
        auto const array = [&](int host) { return b.add(buffer{.host = host, .bytes = ranks * element}); };
        if (r == 0) {
            b.target().own_lines = 2;
            auto& wait = b.emit(s, operation::wait);
            wait.trigger = ready;
            wait.threshold = o.threshold;
            for (int other = 1; other < ranks; ++other) {
                auto const box = contiguous(other * element, element);
                b.copy(s, operation::copy, array(0), array(other), compile(box, box), other);
                b.target().deliveries.push_back({other, 0, box, 0, box});
            }
            b.emit(s, operation::signal).signal = taken;
        } else {
            for (int a = 0; a < o.adds; ++a) {
                auto& add = b.emit(s, operation::signal);
                add.signal = ready;
                add.value = 1;
            }
            if (o.throttled) b.emit(s, operation::credit).trigger = taken;
        }
        j.plans.push_back(b.finish());
        auto const own = contiguous(r * element, element);
        j.arrays.push_back({{.ordinal = 0,
                             .bytes = ranks * element,
                             .buffered = false,
                             .owned = own,
                             .readable = contiguous(0, ranks * element)}});
    }
    return j;
}

bool has(std::vector<finding> const& all, finding::type kind) {
    return std::any_of(all.begin(), all.end(), [&](finding const& f) { return f.kind == kind; });
}

TEST(sums, all_additions_are_certain_where_all_are_needed) {
    for (int ranks : {2, 3, 9}) {
        auto const j = gather(ranks, {});
        EXPECT_TRUE(verify(j.plans, j.arrays).empty()) << ranks;
    }
}

TEST(sums, one_addition_fewer_makes_none_of_them_certain) {
    auto const j = gather(4, {.threshold = -1});
    EXPECT_TRUE(has(verify(j.plans, j.arrays), finding::type::race));
}

TEST(sums, of_two_ranks_one_addition_fewer_means_not_waiting) {
    auto const j = gather(2, {.threshold = -1});
    EXPECT_TRUE(has(verify(j.plans, j.arrays), finding::type::race));
}

// The greedy run may well see all first additions before all second ones; what counts is what another run may see.
TEST(sums, a_sender_that_runs_ahead_can_stand_in_for_another) {
    auto const j = gather(3, {.throttled = false});
    EXPECT_TRUE(has(verify(j.plans, j.arrays), finding::type::race));
}

TEST(sums, several_additions_of_a_sender_count_one_by_one) {
    auto const sound = gather(3, {.adds = 2});
    EXPECT_TRUE(verify(sound.plans, sound.arrays).empty());
    // 3 of 4: both senders have added at least once, whoever is missing.
    auto const enough = gather(3, {.threshold = -1, .adds = 2});
    EXPECT_TRUE(verify(enough.plans, enough.arrays).empty());
    // 2 of 4: they may be of one sender.
    auto const few = gather(3, {.threshold = -2, .adds = 2});
    EXPECT_TRUE(has(verify(few.plans, few.arrays), finding::type::race));
}

TEST(sums, what_all_candidates_have_in_common_is_certain) {
    // Rank 1 tells rank 2 and rank 3 by a flag; each of them adds to a sum at rank 0, which waits for one of the two and pulls from
    // rank 1.
    job j;
    for (int r = 0; r < 4; ++r) {
        plan_builder b{"either", r, 4};
        auto const s = b.add_stream(-1);
        auto const box = contiguous(0, element);
        auto const ready = b.add(flag(1, 1, 0)), taken = b.add(flag(0, 0, 1));
        auto const either = b.add(sum(0, 0, 2));
        if (r == 0) {
            b.target().own_lines = 2;
            auto& wait = b.emit(s, operation::wait);
            wait.trigger = either;
            wait.threshold = -1;
            b.copy(s, operation::copy, b.add(buffer{.host = 0, .bytes = element}), b.add(buffer{.host = 1, .bytes = element}),
                   compile(box, box), 1);
            b.emit(s, operation::signal).signal = taken;
            b.emit(s, operation::wait).trigger = either; // the other one, so that epochs do not mix
            b.target().deliveries.push_back({1, 0, box, 0, box});
        } else if (r == 1) {
            b.target().own_lines = 1;
            b.emit(s, operation::signal).signal = ready;
            b.emit(s, operation::credit).trigger = taken;
        } else {
            auto& add = b.emit(s, operation::signal);
            add.trigger = ready;
            add.signal = either;
            add.value = 1;
            b.emit(s, operation::credit).trigger = taken;
        }
        j.plans.push_back(b.finish());
        j.arrays.push_back(
            {{.ordinal = 0, .bytes = element, .buffered = false, .owned = r == 1 ? box : layout{}, .readable = box}});
    }
    auto const findings = verify(j.plans, j.arrays);
    EXPECT_TRUE(findings.empty()) << findings.front().message;
}

TEST(sums, must_grow_by_their_step) {
    for (std::int64_t step : {2, 3}) {
        plan_builder b{"drift", 0, 1};
        b.target().own_lines = 1;
        auto& add = b.emit(b.add_stream(-1), operation::signal);
        add.signal = b.add(sum(0, 0, step));
        add.value = 2;
        auto const p = b.finish();
        std::vector<std::vector<array_model>> const arrays{{}};
        EXPECT_EQ(has(verify({&p, 1}, arrays), finding::type::malformed), step == 3);
    }
}

} // namespace
} // namespace sode::internal
