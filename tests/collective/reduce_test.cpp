// SPDX-License-Identifier: Apache-2.0
// Reductions over several ranks: every operation and element type, and the same bits on all ranks, every time.
#include "collective/reductions.hpp"
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace sode::internal::testing {
namespace {

TEST(reduce, sums_and_extremes_over_all_indices) {
    auto& rt = ranks();
    grid<2> g{rt, {13, 17}};
    array<double, 2> a{g, {}, 0.0, "a"};
    loop(g.all(), [v = *a](auto i, auto j) { v(i, j) = static_cast<double>(i * 100 + j); });
    auto const value = [v = *a](auto i, auto j) { return v(i, j); };
    double expected = 0;
    for (int i = 0; i < 13; ++i)
        for (int j = 0; j < 17; ++j) expected += i * 100 + j;
    EXPECT_DOUBLE_EQ(reduce(g.all(), 0.0, sum, value), expected);
    EXPECT_DOUBLE_EQ(reduce(g.all(), 5.0, sum, value), expected + 5) << "the initial value enters once";
    EXPECT_EQ(reduce(g.all(), -1e300, max, value), 12 * 100 + 16);
    EXPECT_EQ(reduce(g.all(), 1e300, min, value), 0);
    EXPECT_EQ(reduce(g.inner(), 1e300, min, value), 101);
}

TEST(reduce, every_element_type) {
    auto& rt = ranks();
    auto const n = static_cast<index_t>(rt.size());
    grid<1> g{rt, {n}};
    auto const check = [&]<class T>(T) {
        auto const one_each = [](auto i) { return static_cast<T>(i + 1); };
        EXPECT_EQ(reduce(g.all(), T{0}, sum, one_each), static_cast<T>(n * (n + 1) / 2));
        EXPECT_EQ(reduce(g.all(), T{0}, max, one_each), static_cast<T>(n));
        EXPECT_EQ(reduce(g.all(), std::numeric_limits<T>::max(), min, one_each), T{1});
        EXPECT_EQ(reduce(g.all(), T{1}, product, [](auto) { return T{1}; }), T{1});
    };
    check(float{});
    check(double{});
    check(std::int8_t{});
    check(std::uint16_t{});
    check(int{});
    check(std::uint32_t{});
    check(long{});
    check(std::uint64_t{});
}

TEST(reduce, integers_wrap_round_on_a_rank_as_between_ranks) {
    auto& rt = ranks();
    grid<1> g{rt, {64}};
    auto const check = [&]<class T>(T) {
        auto const most = std::numeric_limits<T>::max();
        auto const sums = reduce(g.all(), T{0}, sum, [&](auto) { return most; });
        EXPECT_EQ(sums, static_cast<T>(std::uint64_t{64} * static_cast<std::uint64_t>(most)));
        // The square of the greatest number is 1, modulo its width, for numbers with a sign and without.
        EXPECT_EQ(reduce(g.all(), T{1}, product, [&](auto) { return most; }), T{1});
    };
    check(int{});
    check(long{});
    check(std::uint16_t{});
    check(std::int8_t{});
}

TEST(reduce, complex_numbers_and_long_double) {
    auto& rt = ranks();
    grid<1> g{rt, {9}};
    using complex = std::complex<double>;
    auto const value = [](auto i) { return complex{static_cast<double>(i % 3), 1.0}; };
    EXPECT_EQ(reduce(g.all(), complex{1, 2}, sum, value), (complex{10, 11}));
    auto const of_floats = reduce(g.all(), std::complex<float>{1, 0}, product, [](auto i) {
        return i == 4 ? std::complex<float>{0, 1} : i == 7 ? std::complex<float>{2, 0} : std::complex<float>{1, 0};
    });
    EXPECT_EQ(of_floats, (std::complex<float>{0, 2}));
    EXPECT_EQ(reduce(g.all(), 0.0L, sum, [](auto i) { return static_cast<long double>(i) / 2; }), 18.0L);
    auto const pair = reduce(g.all(), std::tuple{complex{}, -1.0L}, operations{sum, max}, [=](auto i) {
        return std::tuple{value(i), static_cast<long double>(i)};
    });
    EXPECT_EQ(pair, (std::tuple{complex{9, 9}, 8.0L}));
}

TEST(reduce, truth_values_and_bits) {
    auto& rt = ranks();
    grid<1> g{rt, {40}};
    auto const is = [](index_t which) { return [which](auto i) { return i == which; }; };
    EXPECT_TRUE(reduce(g.all(), false, lor, is(17)));
    EXPECT_FALSE(reduce(g.all(), false, lor, is(40)));
    EXPECT_FALSE(reduce(g.all(), true, land, is(17)));
    EXPECT_TRUE(reduce(g.all(), true, land, [](auto) { return true; }));
    EXPECT_TRUE(reduce(g.all(), false, lxor, [](auto i) { return i < 5; }));
    EXPECT_TRUE(reduce(g.all(), false, max, is(39)));
    EXPECT_EQ(reduce(g.all(), 0, land, [](auto) { return 7; }), 0) << "the initial value takes part";
    EXPECT_EQ(reduce(g.all(), 3.5, land, [](auto) { return 2.0; }), 1.0);
    EXPECT_EQ(reduce(g.all(), std::uint64_t{0}, bor, [](auto i) { return std::uint64_t{1} << i; }), (std::uint64_t{1} << 40U) - 1);
    EXPECT_EQ(reduce(g.all(), ~0, band, [](auto i) { return ~(1 << (i % 3)); }), ~7);
    EXPECT_EQ(reduce(g.all(), 0, bxor, [](auto i) { return static_cast<int>(i); }), 0);
}

TEST(reduce, says_where_the_extreme_is) {
    auto& rt = ranks();
    index_t const n = 17;
    grid<2> g{rt, {13, n}};
    // The highest, 30, lies at several places: the first of them counts, on any number of ranks.
    auto const height = [](auto i, auto j) { return static_cast<double>(i * j % 31); };
    located<double> most{-1.0}, least{1e300};
    for (index_t i = 0; i < 13; ++i)
        for (index_t j = 0; j < n; ++j) {
            if (height(i, j) > most.value) most = {height(i, j), i * n + j};
            if (height(i, j) < least.value) least = {height(i, j), i * n + j};
        }
    auto const here = [=](auto i, auto j) { return located{height(i, j), i * n + j}; };
    EXPECT_EQ(reduce(g.all(), located{-1.0}, max, here), most);
    EXPECT_EQ(reduce(g.all(), located{1e300}, min, here), least);
    auto const both = reduce(g.all(), std::tuple{located{-1.0F}, 0L}, operations{max, sum}, [=](auto i, auto j) {
        return std::tuple{located{static_cast<float>(height(i, j)), i * n + j}, 1L};
    });
    EXPECT_EQ(std::get<0>(both).at, most.at);
    EXPECT_EQ(std::get<1>(both), 13 * n);
}

#if defined(__FLT16_MANT_DIG__)
TEST(reduce, half_precision) {
    auto& rt = ranks();
    grid<1> g{rt, {64}};
    auto const half = [](auto i) { return static_cast<_Float16>(static_cast<float>(i % 4) / 2); };
    EXPECT_EQ(static_cast<float>(reduce(g.all(), static_cast<_Float16>(0), sum, half)), 48.0F);
    EXPECT_EQ(static_cast<float>(reduce(g.all(), static_cast<_Float16>(-9), max, half)), 1.5F);
}
#endif

TEST(reduce, all_ranks_get_the_same_bits) {
    auto& rt = ranks();
    grid<1> g{rt, {1000}};
    for (int k = 0; k < 20; ++k) {
        double const r = reduce(g.all(), 0.0, sum, [k](auto i) { return std::sin(static_cast<double>(i * (k + 1))); });
        std::vector<double> all(static_cast<std::size_t>(rt.size()));
        double const biggest = reduce(g.all(), -1e300, max, [r](auto) { return r; });
        double const smallest = reduce(g.all(), 1e300, min, [r](auto) { return r; });
        EXPECT_EQ(biggest, smallest);
    }
}

TEST(reduce, values_longer_than_a_line) {
    auto& rt = ranks();
    std::vector<double> v(1000);
    for (int round = 1; round <= 4; ++round) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<double>(i) * round + rt.rank();
        std::array<detail::combined_part, 1> const part{{{1000, detail::sum_op::code, detail::code_of<double>()}}};
        detail::allreduce(rt.job(), v.data(), part);
        double const n = rt.size();
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_DOUBLE_EQ(v[i], n * static_cast<double>(i) * round + n * (n - 1) / 2);
    }
}

TEST(reduce, several_values_by_one_loop) {
    auto& rt = ranks();
    grid<2> g{rt, {13, 17}};
    auto const value = [](auto i, auto j) { return static_cast<double>((i * 7 + j * 3) % 23) - 11.5; };
    auto const [total, most, least, count] =
        reduce(g.all(), std::tuple{0.0, -1e300, 1e30F, 100}, operations{sum, max, min, sum}, [=](auto i, auto j) {
            return std::tuple{value(i, j), value(i, j), static_cast<float>(value(i, j)), 1};
        });
    EXPECT_DOUBLE_EQ(total, reduce(g.all(), 0.0, sum, value));
    EXPECT_EQ(most, reduce(g.all(), -1e300, max, value));
    EXPECT_EQ(least, reduce(g.all(), 1e30F, min, value));
    EXPECT_EQ(count, 100 + 13 * 17) << "the initial value enters once";

    auto const moments = reduce(g.all(), std::array{0.0, 1.0, 2.0}, sum, [=](auto i, auto j) {
        return std::array{1.0, value(i, j), value(i, j) * value(i, j)};
    });
    EXPECT_DOUBLE_EQ(moments[0], 221);
    EXPECT_DOUBLE_EQ(moments[1], total + 1);
    EXPECT_DOUBLE_EQ(moments[2], reduce(g.all(), 2.0, sum, [=](auto i, auto j) { return value(i, j) * value(i, j); }));

    // One operation for all of a tuple; and more than a cache line holds.
    auto const extremes = reduce(g.all(), std::tuple{-1e9, -5L}, max, [=](auto i, auto j) {
        return std::tuple{value(i, j), long{i * j}};
    });
    EXPECT_EQ(extremes, (std::tuple{most, 12L * 16}));
    auto const rows = reduce(g.all(), std::array<long, 13>{}, sum, [](auto i, auto j) {
        std::array<long, 13> row{};
        row[static_cast<std::size_t>(i)] = j;
        return row;
    });
    for (auto const r : rows) EXPECT_EQ(r, 16 * 17 / 2);
}

TEST(reduce, several_values_while_the_halo_is_under_way) {
    auto& rt = ranks();
    grid<2> g{rt, {40, 30}};
    array<double, 2> u{g, shadow{1}};
    loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = static_cast<double>(i * 30 + j); });
    auto halo = reflect_init(u);
    auto const both = halo.overlap_reduce(g.inner(), std::tuple{0.0, 0.0}, operations{max, sum}, [u = *u](auto i, auto j) {
        return std::tuple{u(i + 1, j) - u(i - 1, j), u(i, j + 1) - u(i, j - 1)};
    });
    EXPECT_EQ(both, (std::tuple{60.0, 2.0 * 38 * 28}));
}

TEST(broadcast, values_and_spans_of_any_size_from_any_rank) {
    auto& rt = ranks();
    for (int root = 0; root < rt.size(); ++root) {
        struct setting {
            double dt;
            int steps;
        };
        auto const s = broadcast(rt, rt.rank() == root ? setting{0.25, 7 + root} : setting{}, root);
        EXPECT_EQ(s.dt, 0.25);
        EXPECT_EQ(s.steps, 7 + root);
        for (std::size_t n : {1U, 56U, 57U, 1000U, 600'001U}) {
            std::vector<unsigned char> v(n, 255);
            if (rt.rank() == root)
                for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<unsigned char>(i * 31 + static_cast<std::size_t>(root));
            broadcast(rt, v, root);
            for (std::size_t i = 0; i < n; ++i)
                ASSERT_EQ(v[i], static_cast<unsigned char>(i * 31 + static_cast<std::size_t>(root))) << n << ", byte " << i;
        }
    }
    broadcast(rt, std::span<double>{});
    std::array<int, 3> const mine{rt.rank(), 2, 3};
    auto all = mine;
    broadcast(rt, all, rt.size() - 1);
    EXPECT_EQ(all[0], rt.size() - 1);
    // Faster than anybody reads: nothing is overwritten too early.
    int wrong = 0;
    for (int k = 0; k < 300; ++k) wrong += broadcast(rt, rt.root() ? k : -1) == k ? 0 : 1;
    EXPECT_EQ(wrong, 0);
    EXPECT_THROW(static_cast<void>(broadcast(rt, 1, rt.size())), error);
    EXPECT_THROW(static_cast<void>(broadcast(rt, 1, -1)), error);
}

// One plan for each number of bytes and way to combine them, whatever the program calls its values.
TEST(reduce, plans_are_kept_and_can_be_looked_at) {
    auto& rt = ranks();
    grid<1> g{rt, {100}};
    auto const one = [](auto) { return 1.0; };
    auto const two = [](auto) { return std::array{1.0, 2.0}; };
    auto const pair = [](auto) { return std::tuple{1.0, 2.0}; };
    auto const both = [](auto) { return std::tuple{1.0, 2}; };
    auto const all = [&] {
        EXPECT_EQ(reduce(g.all(), 0.0, sum, one), 100);
        EXPECT_EQ(reduce(g.all(), std::array{0.0, 0.0}, sum, two)[1], 200);
        EXPECT_EQ(std::get<1>(reduce(g.all(), std::tuple{0.0, 0.0}, sum, pair)), 200);
        EXPECT_EQ(std::get<1>(reduce(g.all(), std::tuple{0.0, 0}, operations{sum, max}, both)), 2);
        EXPECT_EQ(reduce(g.all(), 0.0, max, one), 1);
        EXPECT_EQ(broadcast(rt, 5.0), 5.0);
        EXPECT_EQ(broadcast(rt, 5.0, rt.size() - 1), 5.0);
        EXPECT_EQ(broadcast(rt, 5), 5);
    };
    all();
    auto const& kept = *rt.job().reduced;
    auto const plans = [&] { return nlohmann::json::parse(rt.dump("json")); };
    auto const before = plans();
    auto const steps = kept.executed(), epochs = kept.epochs();
    for (int round = 0; round < 3; ++round) all();
    EXPECT_EQ(plans(), before) << "nothing new";
    // SODE_CHECK=collective reduces what is reduced over, first.
    EXPECT_EQ(kept.epochs(), epochs + 3U * (rt.job().settings.check.collective ? 5U + 8U : 8U));
    auto const an_epoch = (kept.executed() - steps) / 3;
    EXPECT_EQ((kept.executed() - steps) % 3, 0U);
    EXPECT_GE(an_epoch, 8U * 3U);
    auto const names = [&](std::string const& name) {
        return std::count_if(before.begin(), before.end(), [&](auto const& p) { return p["name"] == name; });
    };
    // The other tests of this program have planned some, too.
    EXPECT_GE(names("reduce of 8 bytes"), 2) << "sum and max";
    EXPECT_GE(names("reduce of 16 bytes"), 1);
    EXPECT_GE(names("reduce of 12 bytes"), 1);
    EXPECT_GE(names("broadcast of 56 bytes"), std::min(rt.size(), 2)) << "by root; a few sizes only";
    auto const text = rt.explain();
    EXPECT_THAT(text, ::testing::HasSubstr("reduce of 12 bytes: rank"));
    EXPECT_THAT(text, ::testing::HasSubstr("memory: "));
    EXPECT_EQ(text.find("12 B") != std::string::npos, rt.size() > 1) << "what each of the others gives: " << text;
    EXPECT_THAT(rt.dump(), ::testing::HasSubstr("reduce"));
    EXPECT_THROW(static_cast<void>(rt.dump("yaml")), error);
}

TEST(reduce, ranks_without_elements_take_part) {
    auto& rt = ranks();
    grid<1> g{rt, {1}};
    EXPECT_EQ(reduce(g.all(), 0, sum, [](auto) { return 7; }), 7);
    EXPECT_EQ(reduce(g.inner(), 3, max, [](auto) { return 7; }), 3) << "nothing to reduce";
}

} // namespace
} // namespace sode::internal::testing
