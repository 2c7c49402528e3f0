// SPDX-License-Identifier: Apache-2.0
// Loops and their reductions visit every owned index once, in the types that were asked for.
#include <sode/accumulate.hpp>
#include <sode/loop.hpp>
#include <sode/view.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <vector>

namespace {

using sode::box;
using sode::domain;
using sode::index_t;
using sode::view;

struct plus {
    template <class T> [[nodiscard]] T operator()(T a, T b) const { return a + b; }
    template <class T> [[nodiscard]] static T identity() { return T{}; }
};
struct plus_in_order {
    template <class T> [[nodiscard]] T operator()(T a, T b) const { return a + b; }
};

template <int N> domain<N> over(box<N> const& b) {
    return {b, b};
}

template <int N> void covers_exactly(box<N> const& global, box<N> const& owned) {
    auto const room = box<N>{{},
                             shift(owned,
                                   [] {
                                       sode::index<N> a;
                                       a.fill(3);
                                       return a;
                                   }())
                                 .upper};
    sode::index<N> extents = room.upper;
    std::vector<int> memory(static_cast<std::size_t>(room.size()));
    view<int, N> const seen{memory.data(), {}, extents};
    sode::loop(domain<N>{global, owned}, [=](auto... at) { seen(at...) += 1; });
    for (auto const& at : room) {
        int const visits = std::apply([&](auto... i) { return seen(i...); }, at);
        EXPECT_EQ(visits, global.contains(at) && owned.contains(at) ? 1 : 0) << N;
    }
}

TEST(Loop, VisitsTheOwnedPartOnce) {
    covers_exactly<1>({{2}, {40}}, {{0}, {37}});
    covers_exactly<2>({{-5, 2}, {4, 9}}, {{1, 0}, {9, 7}});
    covers_exactly<3>({{1, 1, 1}, {9, 9, 9}}, {{0, 0, 0}, {5, 4, 6}});
    covers_exactly<4>({{0, 0, 0, 0}, {9, 9, 9, 9}}, {{1, 1, 2, 0}, {3, 3, 3, 3}});
    covers_exactly<7>({{0, 0, 0, 0, 0, 0, 1}, {2, 2, 2, 2, 2, 2, 3}}, {{0, 0, 1, 0, 0, 0, 0}, {2, 2, 2, 1, 2, 2, 2}});
    covers_exactly<2>({{0, 0}, {9, 9}}, {{3, 3}, {3, 9}});
    covers_exactly<2>({{5, 0}, {4, 9}}, {{0, 0}, {9, 9}});
}

TEST(Loop, GivesGlobalIndicesOfTheIndexType) {
    sode::loop(domain<2>{{{3, 4}, {5, 6}}, {{0, 0}, {9, 9}}}, [](auto i, auto j) {
        static_assert(std::is_integral_v<decltype(i)> && sizeof(i) == sizeof(index_t));
        EXPECT_TRUE(i >= 3 && i < 5 && j >= 4 && j < 6);
    });
}

TEST(Loop, TakesBodiesThatAreNotGenericAndLvalues) {
    std::vector<int> memory(12);
    view<int, 2> const v{memory.data(), {0, 0}, {3, 4}};
    auto const body = [=](index_t i, index_t j) { v(i, j) = 1; };
    sode::loop(domain<2>{{{0, 0}, {3, 4}}, {{0, 0}, {3, 4}}}, body);
    EXPECT_EQ(std::accumulate(memory.begin(), memory.end(), 0), 12);
}

// A view of what a device or another process writes need only compile.
[[maybe_unused]] double read_of_volatile(view<double volatile, 2> const& v) {
    return v(0, 0);
}

TEST(Accumulate, EachIndexOnceInEveryRowLength) {
    for (index_t n = 0; n < 40; ++n) {
        box<2> const b{{1, 5}, {4, 5 + n}};
        auto const value = [](auto i, auto j) { return i * 1000 + j; };
        index_t expected = 7;
        for (auto const& at : b) expected += value(at[0], at[1]);
        EXPECT_EQ(sode::detail::accumulate(over(b), b, index_t{7}, plus{}, value), expected) << n;
        EXPECT_EQ(sode::detail::accumulate(over(b), b, index_t{7}, plus_in_order{}, value), expected) << n;
    }
}

// The partial sum of element k of a row of n: the whole eights, and then 4, 2 and 1 elements, begin at partial sum 0.
std::size_t lane(index_t k, index_t n) {
    index_t first = n / 8 * 8;
    if (k < first) return static_cast<std::size_t>(k % 8);
    for (index_t part = 4; k >= first + (n & part); part /= 2) first += n & part;
    return static_cast<std::size_t>(k - first);
}

// With any compiler, so that their results have the same bits.
template <class Value> void adds_in_lanes(bool stores) {
    index_t const rows = 3;
    std::mt19937 random{7};
    for (index_t n = 0; n < 80; ++n) {
        auto const cells = static_cast<std::size_t>(rows * n);
        std::vector<Value> memory(cells), copy(cells);
        for (auto& x : memory) x = static_cast<Value>(std::uniform_real_distribution<double>{-1, 1}(random));
        view<Value const, 2> const from{memory.data(), {0, 0}, {rows, n}};
        view<Value, 2> const to{copy.data(), {0, 0}, {rows, n}};
        std::array<double, 8> partial{};
        for (index_t i = 0; i < rows; ++i)
            for (index_t j = 0; j < n; ++j) partial[lane(j, n)] += static_cast<double>(from(i, j));
        for (std::size_t half = 4; half > 0; half /= 2)
            for (std::size_t l = 0; l < half; ++l) partial[l] += partial[l + half];

        box<2> const b{{0, 0}, {rows, n}};
        if (stores) {
            auto const body = [=](auto i, auto j) { return to(i, j) = from(i, j); };
            EXPECT_EQ(sode::detail::accumulate(over(b), b, 0.0, plus{}, body), partial[0]) << n;
            EXPECT_EQ(copy, memory) << n;
        } else {
            auto const body = [=](auto i, auto j) { return from(i, j); };
            EXPECT_EQ(sode::detail::accumulate(over(b), b, 0.0, plus{}, body), partial[0]) << n;
        }
    }
}

TEST(Accumulate, AddsInLanes) {
    adds_in_lanes<float>(false);
    adds_in_lanes<float>(true);
    adds_in_lanes<double>(false);
    adds_in_lanes<double>(true);
}

TEST(Accumulate, CombinesInTheTypeOfInit) {
    // In float, 2^24 + 1 = 2^24.
    box<1> const b{{0}, {1 << 20}};
    auto const body = [](auto) { return 1.0f; };
    EXPECT_EQ(sode::detail::accumulate(over(b), b, 16777216.0, plus{}, body), 16777216.0 + (1 << 20));
    EXPECT_EQ(sode::detail::accumulate(over(b), b, 16777216.0f, plus_in_order{}, body), 16777216.0f);
}

TEST(Accumulate, IsTheSameEveryTime) {
    std::vector<float> memory(1000);
    std::mt19937 random{11};
    for (auto& x : memory) x = std::uniform_real_distribution<float>{}(random);
    view<float const, 1> const v{memory.data(), {0}, {1000}};
    auto const sum = [&] {
        return sode::detail::accumulate(over(box<1>{{0}, {1000}}), box<1>{{0}, {1000}}, 0.f, plus{}, [=](auto i) { return v(i); });
    };
    auto const first = sum();
    for (int i = 0; i < 10; ++i) EXPECT_EQ(sum(), first);
    EXPECT_NEAR(first, std::accumulate(memory.begin(), memory.end(), 0.0), 1e-3);
}

} // namespace
