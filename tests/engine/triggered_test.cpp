// SPDX-License-Identifier: Apache-2.0
// SODE_ENGINE=triggered between processes and tasks: between start and wait a rank runs nothing of the library's, and everything
// arrives nevertheless; and start and wait may follow each other any number of times.
#include "support/cases.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <thread>
#include <type_traits>
#include <vector>

namespace sode::internal::testing {
namespace {

// Before main() makes the runtime.
int const chosen = setenv("SODE_ENGINE", "triggered:2", 1);

using ::testing::HasSubstr;
using ::testing::Not;

double value(int rank, int step, std::size_t i) {
    return 1000.0 * (rank + 1) + 7.0 * step + static_cast<double>(i % 97);
}

/// Looks at memory only, now and then, until it is as it should be.
bool comes_by_itself(std::function<bool()> const& there) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
        if (there()) return true;
    }
    return false;
}

double seen(double const& x) {
    return static_cast<double const volatile&>(x);
}

bool all_seen(std::vector<double> const& v, std::function<double(std::size_t)> const& expected) {
    for (std::size_t i = 0; i < v.size(); ++i)
        if (seen(v[i]) != expected(i)) return false;
    return true;
}

TEST(triggered, a_rank_may_sleep_between_start_and_wait) {
    auto& rt = ranks();
    int const p = rt.size(), me = rt.rank();
    for (std::size_t const n : {3U, 1000U, 60000U}) {
        grid<1> const g{rt, {static_cast<index_t>(8 * p)}};
        array<double, 1> u{g, shadow{1}, 0.0, "u"};
        auto halo = reflect_init({.periodic = true}, u);
        std::vector<double> wide(n), mine(n), sums(n), all(n * static_cast<std::size_t>(p));
        auto spread = broadcast_init(rt, std::span{wide}, p - 1);
        auto combined = allreduce_init(rt, std::span<double const>{mine}, std::span{sums}, sum);
        auto gathered = allgather_init(rt, std::span<double const>{mine}, std::span{all});
        for (auto const& text : {halo.explain(), spread.explain(), combined.explain(), gathered.explain()})
            EXPECT_THAT(text, HasSubstr("engine: triggered\n"));
        for (int step = 1; step <= 3; ++step) {
            for (std::size_t i = 0; i < n; ++i) mine[i] = value(me, step, i);
            if (me == p - 1)
                for (std::size_t i = 0; i < n; ++i) wide[i] = value(99, step, i);
            loop(g.all(), [v = *u, step](auto i) { v(i) = static_cast<double>(100 * step + i); });
            halo.start(), spread.start(), combined.start(), gathered.start();
            auto const total = [&](std::size_t i) {
                double t = value(0, step, i);
                for (int r = 1; r < p; ++r) t += value(r, step, i);
                return t;
            };
            EXPECT_TRUE(comes_by_itself([&] { return all_seen(wide, [&](std::size_t i) { return value(99, step, i); }); }));
            EXPECT_TRUE(comes_by_itself([&] { return all_seen(sums, total); }));
            EXPECT_TRUE(comes_by_itself(
                [&] { return all_seen(all, [&](std::size_t i) { return value(static_cast<int>(i / n), step, i % n); }); }));
            auto const v = *u;
            auto const first = 8 * me, last = first + 7, end = 8 * p;
            EXPECT_TRUE(comes_by_itself([&] {
                return seen(v(first - 1)) == 100 * step + (first + end - 1) % end &&
                       seen(v(last + 1)) == 100 * step + (last + 1) % end;
            }));
            gathered.wait(), combined.wait(), spread.wait(), halo.wait();
        }
    }
}

// Faces and corners of two arrays, over all nodes: the owner of an element puts it, and nobody calls anything meanwhile.
TEST(triggered, faces_are_put_while_ranks_sleep) {
    auto& rt = ranks();
    grid<2> const g{rt, {24, 18}};
    array<double, 2> u{g, shadow{2}, 0.0, "u"};
    buffered<float, 2> v{g, shadow{1}, 0.0F, "v"};
    auto halo = reflect_init({.corners = true, .periodic = true}, u, v);
    auto const text = halo.explain();
    EXPECT_THAT(text, HasSubstr("engine: triggered\n"));
    EXPECT_THAT(text, rt.size() > 1 ? HasSubstr("chains of descriptors: ") : HasSubstr("self"));
    for (char const* const other : {" pull ", " stage ", " inline "}) EXPECT_THAT(text, Not(HasSubstr(other)));
    auto const value = [](index_t i, index_t j, int step) {
        return static_cast<double>((i + 24) % 24 * 100 + (j + 18) % 18 + 5000 * step);
    };
    for (int step = 1; step <= 4; ++step, v.flip()) {
        loop(g.all(), [a = *u, b = v.now(), &value, step](auto i, auto j) {
            a(i, j) = value(i, j, step), b(i, j) = static_cast<float>(value(i, j, -step));
        });
        halo.start();
        auto const all_there = [&](auto const& field, box<2> const& where, int of) {
            for (auto const& [i, j] : where)
                if (static_cast<double>(static_cast<std::remove_cvref_t<decltype(field(i, j))> const volatile&>(field(i, j))) !=
                    value(i, j, of))
                    return false;
            return true;
        };
        EXPECT_TRUE(comes_by_itself([&] { return all_there(*u, u.allocated(), step); })) << step;
        EXPECT_TRUE(comes_by_itself([&] { return all_there(v.now(), v.allocated(), -step); })) << step;
        halo.wait();
    }
}

TEST(triggered, any_number_of_epochs) {
    auto& rt = ranks();
    int const p = rt.size(), me = rt.rank();
    grid<1> const g{rt, {static_cast<index_t>(4 * p)}};
    buffered<double, 1> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init({.periodic = true}, u);
    std::vector<double> mine(2), sums(2);
    auto combined = allreduce_init(rt, std::span<double const>{mine}, std::span{sums}, sum);
    auto barrier = barrier_init(rt);
    int const most = p <= 2 ? 6000 : 3000;
    int const epochs = std::max(most, random_cases(most));
    int wrong = 0;
    for (int e = 1; e <= epochs; ++e, u.flip()) {
        auto const v = u.now();
        for (index_t i = 4 * me; i < 4 * me + 4; ++i) v(i) = static_cast<double>(i + e);
        mine = {static_cast<double>(me + e), 1.0};
        halo.start();
        combined.start();
        if (e % 3 == 0) barrier.start();
        combined.wait();
        if (e % 3 == 0) barrier.wait();
        halo.wait();
        wrong += sums[0] != p * (p - 1) / 2.0 + static_cast<double>(p) * e || sums[1] != p;
        wrong += v(4 * me - 1) != static_cast<double>((4 * me + 4 * p - 1) % (4 * p) + e);
    }
    EXPECT_EQ(wrong, 0);
    if (me == 0) std::printf("%d epochs\n", epochs);
}

} // namespace
} // namespace sode::internal::testing
