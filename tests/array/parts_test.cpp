// SPDX-License-Identifier: Apache-2.0
// Parts of a job are jobs: whatever is planned on one is right, involves its ranks only, and leaves nothing behind; arrays on some
// nodes of a grid are exchanged by the ranks that have blocks, and nobody else need come.
#include "model/job.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

std::vector<int> every(int step, int first = 0) {
    std::vector<int> list;
    for (int r = first; r < ranks().size(); r += step) list.push_back(r);
    return list;
}

long sum_of(runtime& rt, long mine) {
    grid<1> const one_each{rt, {rt.size()}};
    return reduce(one_each.all(), 0L, sum, [=](index_t) { return mine; });
}

// One exchange of a periodic line of 6 elements a rank, with values of that epoch.
class line {
public:
    explicit line(runtime& rt) : n_(6 * rt.size()), g_(rt, {n_}), a_(g_, {1}), halo_(reflect_init({.periodic = {true}}, a_)) {}

    void check(int epoch) {
        loop(a_.all(), [v = *a_, epoch](index_t i) { v(i) = value(i, epoch); });
        halo_();
        auto const own = a_.owned();
        auto const v = *a_;
        EXPECT_EQ(v(own.lower[0] - 1), value((own.lower[0] + n_ - 1) % n_, epoch));
        EXPECT_EQ(v(own.upper[0]), value(own.upper[0] % n_, epoch));
    }
    [[nodiscard]] reflection const& halo() const { return halo_; }

private:
    [[nodiscard]] static double value(index_t i, int epoch) { return static_cast<double>(100 * epoch + i); }
    index_t n_;
    grid<1> g_;
    array<double, 1> a_;
    reflection halo_;
};

TEST(Parts, AreNumberedAsTheyAreNamed) {
    auto& rt = ranks();
    auto backwards = every(1);
    std::ranges::reverse(backwards);
    runtime part{rt, backwards};
    EXPECT_EQ(part.size(), rt.size());
    EXPECT_EQ(part.rank(), rt.size() - 1 - rt.rank());
    EXPECT_THAT(part.describe(), HasSubstr(fmt::format("a part of {} ranks", rt.size())));
    part.barrier();
    EXPECT_EQ(sum_of(part, long{rt.rank()}), rt.size() * (rt.size() - 1L) / 2);
}

TEST(Parts, RanksOfAColourAreOrderedByTheirKeys) {
    auto& rt = ranks();
    bool const out = rt.rank() % 3 == 2;
    auto const mine = ranks_of_colour(rt, out ? -1 : rt.rank() % 3, -rt.rank());
    auto wanted = out ? std::vector<int>{} : every(3, rt.rank() % 3);
    std::ranges::reverse(wanted);
    EXPECT_EQ(mine, wanted);
}

TEST(Parts, DoWhatTheyLikeAtTheirOwnPace) {
    auto& rt = ranks();
    runtime part{rt, every(2, rt.rank() % 2)};
    line on_all{rt}, on_part{part};
    for (int round = 0; round < 3; ++round) {
        for (int epoch = 0; epoch < (rt.rank() % 2 == 0 ? 7 : 2); ++epoch) on_part.check(epoch);
        on_all.check(round);
        EXPECT_EQ(sum_of(part, part.rank() + 1L), part.size() * (part.size() + 1L) / 2);
    }
}

TEST(Parts, OfOneRankAndOfPartsOfParts) {
    auto& rt = ranks();
    runtime alone{rt, {rt.rank()}};
    line{alone}.check(1);
    EXPECT_EQ(sum_of(alone, 7L), 7);
    runtime half{rt, every(2, rt.rank() % 2)};
    runtime quarter{half, ranks_of_colour(half, half.rank() % 2)};
    line{quarter}.check(2);
    long wanted = 0;
    for (int r = rt.rank() % 4; r < rt.size(); r += 4) wanted += r;
    EXPECT_EQ(sum_of(quarter, rt.rank()), wanted);
}

TEST(Parts, OfTheSameRanksAreApart) {
    auto& rt = ranks();
    auto const some = every(2, rt.rank() % 2);
    runtime a{rt, some}, b{rt, some};
    line on_a{a}, on_b{b};
    for (int epoch = 0; epoch < 4; ++epoch) {
        on_b.check(epoch);
        on_a.check(2 * epoch);
        a.barrier();
    }
}

TEST(Parts, HaveEveryCollective) {
    auto& rt = ranks();
    runtime part{rt, every(2, rt.rank() % 2)};
    auto const n = static_cast<std::size_t>(part.size());
    auto const me = part.rank();
    std::vector<long> given(4), got(4), all(4 * n), dealt(n), back(n);
    auto added = allreduce_init(part, std::span<long const>{given}, std::span{got}, sum);
    auto from_last = broadcast_init(part, std::span{got}, part.size() - 1);
    auto gathered = allgather_init(part, std::span<long const>{given}, std::span{all});
    auto turned = alltoall_init(part, std::span<long const>{dealt}, std::span{back});
    for (long epoch = 1; epoch < 4; ++epoch) {
        for (std::size_t i = 0; i < 4; ++i) given[i] = epoch * 10 + me + static_cast<long>(i);
        added();
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(got[i], static_cast<long>(n) * (epoch * 10 + static_cast<long>(i)) + static_cast<long>(n * (n - 1) / 2));
        gathered();
        for (std::size_t r = 0; r < n; ++r) EXPECT_EQ(all[4 * r], epoch * 10 + static_cast<long>(r));
        for (std::size_t r = 0; r < n; ++r) dealt[r] = 100 * epoch + 10 * me + static_cast<long>(r);
        turned();
        for (std::size_t r = 0; r < n; ++r) EXPECT_EQ(back[r], 100 * epoch + 10 * static_cast<long>(r) + me);
        got.assign(4, me);
        from_last();
        EXPECT_EQ(got, std::vector<long>(4, part.size() - 1));
    }
    EXPECT_EQ(broadcast(part, rt.rank(), 0), rt.rank() % 2);
}

TEST(Parts, ArraysOnSomeNodesAreTheAffairOfTheirRanks) {
    auto& rt = ranks();
    int const n = rt.size();
    nodes<1> const p{rt, {n}, in_order};
    auto const low = p.sub({{0}, {(n + 1) / 2}});
    bool const inside = low.coordinate(0) >= 0;
    EXPECT_EQ(low.ranks().size(), static_cast<std::size_t>((n + 1) / 2));
    index_t const extent = 6 * low.size();
    array<int, 1> a{distribution<1>{low, {extent}, {block}}, {1}, 0, "a"}, b{distribution<1>{low, {extent}, {cyclic}}, {}, 0, "b"};
    // Those outside may come, and have nothing to do …
    auto everywhere = reflect_init({.periodic = {true}}, a);
    everywhere();
    EXPECT_EQ(everywhere.explain().find("no block of it") != std::string::npos, !inside);
    if (inside) { // … and need not.
        auto halo = reflect_init({.periodic = {true}}, a);
        for (int epoch = 0; epoch < 5; ++epoch) {
            auto const v = *a;
            loop(a.all(), [=](index_t i) { v(i) = static_cast<int>(10 * i) + epoch; });
            halo();
            auto const own = a.owned();
            EXPECT_EQ(v(own.upper[0]), 10 * (own.upper[0] % extent) + epoch);
            halo.reverse(sum);
            copy(b, a);
            auto const w = b.cyclic_view();
            loop(b.all(), [&](index_t i) {
                bool const ghosted = i % 6 == 0 || i % 6 == 5;
                EXPECT_EQ(w(i), (ghosted ? 2 : 1) * static_cast<int>(10 * i + epoch));
            });
        }
    }
    rt.barrier();
}

TEST(Parts, CopiesBetweenPartsOfAGridNeedThoseTwoOnly) {
    auto& rt = ranks();
    if (rt.size() < 3) GTEST_SKIP() << "nobody would be left out";
    nodes<1> const p{rt, {rt.size()}, in_order};
    auto const first = p.sub({{0}, {1}}), rest = p.sub({{0}, {rt.size() - 1}});
    array<long, 1> a{distribution<1>{first, {17}, {block}}}, b{distribution<1>{rest, {17}, {block}}};
    if (rt.rank() == rt.size() - 1) return;
    loop(a.all(), [v = *a](index_t i) { v(i) = 3 * i; });
    auto there = copy_init(b, a), back = copy_init(a, b);
    for (int epoch = 0; epoch < 3; ++epoch) {
        there();
        loop(b.all(), [v = *b](index_t i) { v(i) += 1; });
        back();
    }
    loop(a.all(), [v = *a](index_t i) { EXPECT_EQ(v(i), 3 * i + 3); });
}

TEST(Parts, LeaveNothingBehind) {
    auto& rt = ranks();
    auto const some = every(2, rt.rank() % 2);
    std::uint64_t most = 0;
    for (int round = 0; round < 60; ++round) {
        runtime part{rt, some};
        line{part}.check(round);
        EXPECT_EQ(sum_of(part, 1), part.size());
        auto const at = rt.job().memory->offset(detail::allocate(rt.job(), 1 << 16).get());
        if (round < 20)
            most = std::max(most, at);
        else
            EXPECT_LE(at, most) << "round " << round;
    }
}

TEST(Parts, OverlapInAnyOrderThatIsOne) {
    auto& rt = ranks();
    std::mt19937 same{7};
    for (int round = 0; round < 25; ++round) {
        std::vector<int> members;
        for (int r = 0; r < rt.size(); ++r)
            if (same() % 2 == 0) members.push_back(r);
        std::shuffle(members.begin(), members.end(), same);
        auto const times = same() % 4;
        auto const me = std::ranges::find(members, rt.rank());
        if (me == members.end()) continue;
        runtime part{rt, members};
        EXPECT_EQ(part.rank(), me - members.begin());
        line on_part{part};
        for (unsigned t = 0; t < times; ++t) on_part.check(static_cast<int>(t));
        long wanted = 0;
        for (int const r : members) wanted += r;
        EXPECT_EQ(sum_of(part, rt.rank()), wanted);
    }
}

TEST(Parts, SayWhatIsWrongWithTheirRanks) {
    auto& rt = ranks();
    EXPECT_THAT(message([&] { runtime{rt, {}}; }), HasSubstr("choose one or more of these ranks"));
    EXPECT_THAT(message([&] {
                    runtime{rt, {rt.rank(), rt.size()}};
                }),
                HasSubstr(fmt::format("the job has ranks 0 to {}", rt.size() - 1)));
    EXPECT_THAT(message([&] { runtime{rt, {rt.rank(), rt.rank()}}; }), HasSubstr("is listed twice"));
    if (rt.size() == 1) return;
    EXPECT_THAT(message([&] { runtime{rt, {(rt.rank() + 1) % rt.size()}}; }), HasSubstr(fmt::format("this is rank {}", rt.rank())));
}

TEST(Parts, ErrorsNameRanksAsTheJobDoes) {
    if (ranks().size() > 1) GTEST_SKIP() << "once, with threads";
    auto const run = [](auto program) { return message([&] { run_threads(4, program); }); };
    // One throws, and the other waits in an exchange of their part.
    auto const left = run([](runtime& rt) {
        if (rt.rank() % 2 == 0) return;
        runtime part{rt, {1, 3}};
        line of_two{part};
        of_two.check(0);
        if (rt.rank() == 3) throw error{error_kind::usage, "enough", "", ""};
        try {
            of_two.check(1);
        } catch (error const& e) {
            EXPECT_THAT(e.what(), HasSubstr("rank 3 has terminated: its function threw"));
            throw;
        }
    });
    EXPECT_THAT(left, HasSubstr("enough"));
    setenv("SODE_CHECK", "collective", 1);
    auto const order = run([](runtime& rt) {
        if (rt.rank() % 2 == 0) return;
        runtime part{rt, {3, 1}};
        line a{part}, b{part};
        (rt.rank() == 1 ? a : b).check(0);
        (rt.rank() == 1 ? b : a).check(0);
    });
    EXPECT_THAT(order, HasSubstr("which will never arrive"));
    EXPECT_THAT(order, HasSubstr("rank 3"));
    auto const calls = run([](runtime& rt) {
        if (rt.rank() % 2 == 0) return;
        runtime part{rt, {3, 1}};
        line a{part};
        if (rt.rank() == 1)
            a.check(0);
        else
            part.barrier();
    });
    EXPECT_THAT(calls, HasSubstr("which will never arrive"));
    unsetenv("SODE_CHECK");
}

} // namespace
} // namespace sode::internal::testing
