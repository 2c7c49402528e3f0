// SPDX-License-Identifier: Apache-2.0
// Loops, reductions and overlaps by several threads of each rank do what one thread does: each iteration once, the same bits every
// time, what a body throws is thrown.
#include "support/with_variable.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace sode::internal::testing {
namespace {

// What a run of everything that loops leaves behind, by rank.
using outcome = std::vector<std::vector<double>>;

outcome run_all(int ranks, int threads) {
    with_variable const setting{"SODE_THREADS", std::to_string(threads)};
    outcome all(static_cast<std::size_t>(ranks));
    run_threads(ranks, [&](runtime& rt) {
        auto& mine = all[static_cast<std::size_t>(rt.rank())];
        grid<2> const g{rt, {143, 517}};
        buffered<double, 2> u{g, shadow{1}, 2.5, "u"};
        auto halo = reflect_init({.credits = true}, u); // two exchanges of one half
        grid<1> const line{rt, {50'011}};
        array<int, 1> times{line, {}, 0, "times"};
        for (int step = 0; step < 4; ++step, u.flip()) {
            loop(g.inner(), [a = u.now(), step](auto i, auto j) { a(i, j) += 0.1 * static_cast<double>(i * j % 97 + step); });
            auto const a = u.now(), b = u.next();
            halo.overlap(g.inner(),
                         [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); });
            loop(line.all(), [t = *times](auto i) { ++t(i); });
            mine.push_back(reduce(g.all(), 0.0, max, [=](auto i, auto j) { return b(i, j); }));
            mine.push_back(halo.overlap_reduce(g.inner(), -1.0, max, [=](auto i, auto j) { return a(i, j) - a(i, j - 1); }));
        }
        for (auto const& [i, j] : u.owned()) mine.push_back(u.now()(i, j));
        for (auto const& [i] : times.owned()) EXPECT_EQ((*times)(i), 4) << i;
        EXPECT_EQ(rt.describe().find(std::to_string(threads) + " threads a rank") != std::string::npos, threads > 1)
            << rt.describe();
    });
    return all;
}

TEST(WorkerThreads, DoWhatOneDoes) {
    for (int ranks : {1, 2, 3}) {
        auto const expected = run_all(ranks, 1);
        for (int threads : {2, 3, 4}) EXPECT_EQ(run_all(ranks, threads), expected) << ranks << " ranks, " << threads << " threads";
    }
}

TEST(WorkerThreads, GiveOneSumTheSameBitsEveryTime) {
    with_variable const setting{"SODE_THREADS", "3"};
    run_threads(1, [](runtime& rt) {
        grid<2> const g{rt, {300, 301}};
        auto const total = [&] {
            return reduce(g.all(), 0.0, sum, [](auto i, auto j) { return 1.0 / static_cast<double>(1 + 7 * i + j); });
        };
        double const first = total();
        for (int round = 0; round < 50; ++round) EXPECT_EQ(total(), first);
        long double const better =
            reduce(g.all(), 0.0L, sum, [](auto i, auto j) { return 1.0L / static_cast<long double>(1 + 7 * i + j); });
        EXPECT_NEAR(first, static_cast<double>(better), 1e-9);
    });
}

TEST(WorkerThreads, ThrowWhatABodyHasThrown) {
    with_variable const setting{"SODE_THREADS", "3"};
    run_threads(2, [](runtime& rt) {
        grid<2> const g{rt, {400, 100}};
        array<double, 2> u{g, shadow{1}};
        auto halo = reflect_init(u);
        auto const throws = [&](index_t row) {
            return [row](auto i, auto) {
                if (i == row) throw std::runtime_error{"row " + std::to_string(row)};
            };
        };
        index_t const last = g.local().upper[0] - 1;
        EXPECT_THROW(loop(g.all(), throws(last)), std::runtime_error);
        EXPECT_THROW(halo.overlap(g.all(), throws(last - 5)), std::runtime_error);
        halo(); // the exchange has been waited for
    });
}

TEST(PartsOfBoxes, CoverThemOnce) {
    for (index_t rows : {0, 1, 2, 5, 64, 65})
        for (index_t columns : {0, 1, 63, 64, 1000})
            for (int n : {1, 2, 3, 7}) {
                box<2> const whole{{3, -5}, {3 + rows, -5 + columns}};
                std::vector<int> times(static_cast<std::size_t>(rows * columns));
                for (int k = 0; k < n; ++k)
                    for (auto const& [i, j] : detail::share_of(whole, k, n))
                        ++times[static_cast<std::size_t>((i - 3) * columns + j + 5)];
                EXPECT_THAT(times, ::testing::Each(1)) << rows << " x " << columns << " by " << n;
            }
}

} // namespace
} // namespace sode::internal::testing
