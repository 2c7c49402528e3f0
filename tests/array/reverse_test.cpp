// SPDX-License-Identifier: Apache-2.0
// Halos that go home: random ones against the definition, and what users may and may not do.
#include "array/reverse_case.hpp"
#include "model/job.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(reverse, combines_every_copy) {
    auto& rt = ranks();
    int const cases = random_cases(ranks().size() <= 4 ? 120 : 40);
    std::uint64_t const seed = 20260301 + static_cast<std::uint64_t>(rt.size());
    if (rt.root()) std::printf("%d cases, seed %lu\n", cases, static_cast<unsigned long>(seed));
    for (int c = 0; c < cases && !HasFailure(); ++c) run_random_reverse(rt, seed, c);
}

// <reflect(u), v> over blocks and halos is <u, reverse(v)> over blocks.
TEST(reverse, is_the_adjoint_of_the_exchange) {
    auto& rt = ranks();
    for (bool corners : {false, true})
        for (bool periodic : {false, true}) {
            grid<2> g{rt, {12 * rt.size(), 12 * rt.size()}};
            array<std::int64_t, 2> u{g, shadow{{2, 1}, {1, 3}}, 0, "u"}, v{g, shadow{{2, 1}, {1, 3}}, 0, "v"};
            auto exchange = reflect_init({.corners = corners, .periodic = periodic}, u);
            auto home = reflect_init({.corners = corners, .periodic = periodic}, v);
            auto const all = u.allocated(), mine = u.owned();
            auto const a = *u, b = *v;
            for (auto const& [i, j] : all) {
                a(i, j) = mine.contains({i, j}) ? (i * 7 + j * 3) % 11 : 0;
                b(i, j) = (i * 5 - j + rt.rank() + 200) % 13;
            }
            exchange();
            std::int64_t left = 0, right = 0;
            for (auto const& [i, j] : all) left += a(i, j) * b(i, j);
            home.reverse(sode::sum);
            for (auto const& [i, j] : mine) right += a(i, j) * b(i, j);
            auto const whole = [&](std::int64_t x) {
                std::vector<std::int64_t> each(static_cast<std::size_t>(rt.size()));
                rt.job().boot->allgather(&x, sizeof x, each.data());
                return std::accumulate(each.begin(), each.end(), std::int64_t{0});
            };
            EXPECT_EQ(whole(left), whole(right)) << corners << periodic;
        }
}

// Sums of numbers that round: whoever comes first, they are added in the same order.
TEST(reverse, gives_the_same_bits_every_time) {
    auto& rt = ranks();
    grid<3> g{rt, {3 * rt.size(), 3 * rt.size(), 3 * rt.size()}};
    array<float, 3> u{g, shadow{1}, 0.F, "u"};
    auto halo = reflect_init({.corners = true, .periodic = true}, u);
    auto const all = u.allocated(), mine = u.owned();
    auto const v = *u;
    std::vector<float> first;
    for (int again = 0; again < 20; ++again) {
        for (auto const& [i, j, k] : all)
            v(i, j, k) = 1.F / static_cast<float>(1 + (i + 1) * 31 + (j + 1) * 17 + (k + 1) * 7 + rt.rank());
        halo.reverse(sode::sum);
        std::vector<float> values;
        for (auto const& [i, j, k] : mine) values.push_back(v(i, j, k));
        if (again == 0) first = values;
        EXPECT_EQ(values.size(), first.size());
        EXPECT_EQ(std::memcmp(values.data(), first.data(), values.size() * sizeof(float)), 0);
    }
}

TEST(reverse, components_of_a_bundle_stay_apart) {
    auto& rt = ranks();
    grid<1> g{rt, {6 * rt.size()}};
    bundle<float, 1, 3> u{g, {1.F, 2.F, 3.F}, shadow{1}, "u"};
    auto halo = reflect_init({.periodic = true}, u);
    halo.reverse(sode::sum);
    auto const mine = u.owned();
    for (int c = 0; c < 3; ++c)
        for (auto i = mine.lower[0]; i < mine.upper[0]; ++i) {
            bool const edge = i == mine.lower[0] || i + 1 == mine.upper[0];
            EXPECT_EQ(u.view()(c, i), static_cast<float>((c + 1) * (edge ? 2 : 1)));
        }
}

// Exchanges in both directions of the same object take turns; the halves of a buffered array need not.
TEST(reverse, and_forward_by_turns) {
    auto& rt = ranks();
    grid<1> g{rt, {4 * rt.size()}};
    buffered<int, 1> u{g, shadow{1}, 1, "u"};
    auto halo = reflect_init({.periodic = true}, u);
    int edge = 1;
    for (int step = 0; step < 30; ++step) {
        auto const v = u.now();
        auto const mine = u.owned();
        for (auto i = mine.lower[0]; i < mine.upper[0]; ++i) v(i) = step;
        halo();
        EXPECT_EQ(v(mine.lower[0] - 1), step);
        halo.reverse(sode::sum);
        edge = 2 * step;
        EXPECT_EQ(v(mine.lower[0]), edge);
        EXPECT_EQ(v(mine.upper[0] - 1), edge);
        EXPECT_EQ(v(mine.lower[0] + 1), step);
        u.flip();
    }
    EXPECT_EQ(halo.epochs(), 30U + 30U) << "one way and the other";
}

TEST(reverse, says_what_it_is_not_for) {
    auto& rt = ranks();
    struct pair {
        double a, b;
    };
    grid<1> g{rt, {8 * rt.size()}};
    array<pair, 1> p{g, shadow{1}, {}, "p"};
    array<bool, 1> b{g, shadow{1}, false, "b"};
    auto of_pairs = reflect_init(p), of_flags = reflect_init(b);
    EXPECT_THAT(message([&] { of_pairs.reverse(sode::sum); }),
                HasSubstr("array \"p\" cannot take part in reverse() (the elements are not integers"));
    EXPECT_THAT(
        message([&] { of_flags.reverse(sode::sum); }),
        HasSubstr("array \"b\" cannot take part in reverse() with sum (the operation is not defined for elements of bool)"));
    // A mark that anybody has left in a halo reaches the owner.
    auto const mine = b.owned();
    (*b)(mine.lower[0] - (rt.rank() > 0)) = true;
    of_flags.reverse(sode::lor);
    EXPECT_EQ((*b)(mine.upper[0] - 1), rt.rank() + 1 < rt.size());
    array<double, 1> f{g, shadow{full}, 0.0, "f"};
    if (rt.size() > 1) {
        auto of_full = reflect_init(f);
        EXPECT_THAT(message([&] { of_full.reverse(sode::sum); }), HasSubstr("full shadow"));
    }
    of_pairs(); // it is as good as before
}

TEST(reverse, one_thing_at_a_time) {
    auto& rt = ranks();
    grid<1> g{rt, {8 * rt.size()}};
    array<double, 1> u{g, shadow{1}, 1.0, "u"};
    auto halo = reflect_init({.periodic = true}, u);
    // Rank 0 goes ahead: what it starts cannot be over before the others have started too.
    bool const alone = rt.size() == 1;
    if (rt.rank() == 0) {
        halo.start();
        if (!alone) {
            EXPECT_THAT(message([&] { halo.start_reverse(sode::sum); }), HasSubstr("too early"));
        }
    }
    rt.barrier();
    if (rt.rank() != 0) halo.start();
    halo.wait();
    halo.reverse(sode::sum);
    rt.barrier();
    if (rt.rank() == 0) {
        halo.start_reverse(sode::sum);
        if (!alone) {
            EXPECT_THAT(message([&] { halo.start(); }), HasSubstr("during its reverse()"));
        }
        if (!alone) {
            EXPECT_THAT(message([&] { halo.reverse(sode::max); }), HasSubstr("too early"));
        }
    }
    rt.barrier();
    if (rt.rank() != 0) halo.start_reverse(sode::sum);
    halo.wait();
    EXPECT_THAT(halo.explain(), HasSubstr("reverse halo of \"u\""));
    EXPECT_EQ((*u)(u.owned().lower[0]), 3.0);
}

} // namespace
} // namespace sode::internal::testing
