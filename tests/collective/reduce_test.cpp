// SPDX-License-Identifier: Apache-2.0
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace sode::testing {
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
        detail::allreduce(rt.job(), v.data(), v.size() * sizeof(double), detail::sum_op::code, detail::element_code<double>());
        double const n = rt.size();
        for (std::size_t i = 0; i < v.size(); ++i) ASSERT_DOUBLE_EQ(v[i], n * static_cast<double>(i) * round + n * (n - 1) / 2);
    }
}

TEST(reduce, ranks_without_elements_take_part) {
    auto& rt = ranks();
    grid<1> g{rt, {1}};
    EXPECT_EQ(reduce(g.all(), 0, sum, [](auto) { return 7; }), 7);
    EXPECT_EQ(reduce(g.inner(), 3, max, [](auto) { return 7; }), 3) << "nothing to reduce";
}

} // namespace
} // namespace sode::testing
