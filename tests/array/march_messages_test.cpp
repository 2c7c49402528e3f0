// SPDX-License-Identifier: Apache-2.0
// A march of K steps at a time sends a Kth of the messages, counted over machines that ranks pretend to be on. And the ranks may be
// threads, each with threads of its own: the same bits.
#include "array/march_case.hpp"
#include "base/thread_team.hpp"
#include "support/cases.hpp"
#include "support/mailboxes.hpp"
#include "support/with_variable.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>

namespace sode::internal::testing {
namespace {

struct spoken {
    long messages = 0; ///< of all ranks, in the march alone
    std::uint64_t exchanges = 0;
};

constexpr index_t steps = 48;

// A march of a plate on ranks in a column, or in a square, of which so many are on a machine.
spoken march_of(int ranks, std::array<node_extent, 2> nodes, int on_a_machine, index_t at_a_time, std::vector<double>& plate) {
    mailboxes boxes;
    spoken all;
    run_as_threads(ranks, [&](std::unique_ptr<bootstrap> boot) {
        runtime rt{std::make_unique<mailed_bootstrap>(std::move(boot), boxes, on_a_machine)};
        grid<2> const g{rt, {64, 48}, {.nodes = nodes}};
        buffered<double, 2> u{g, shadow{1}, tiles{at_a_time}, 0.0, "u"};
        for (auto const& v : {u.now(), u.next()})
            loop(g.all(), [v](auto i, auto j) { v(i, j) = static_cast<double>((5 * i + 3 * j) % 13); });
        auto halo = reflect_init(u);
        auto const mean = [](auto a, auto b) {
            return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
        };
        halo.march(at_a_time, g.inner(), mean, u); // plans
        rt.barrier();
        long const before = boxes.sent;
        auto const exchanges = halo.epochs();
        rt.barrier();
        halo.march(steps, g.inner(), mean, u);
        rt.barrier();
        if (rt.root()) all = {boxes.sent - before, halo.epochs() - exchanges};
        rt.barrier();
        halo.march(steps - at_a_time, g.inner(), mean, u); // as many steps for each of them
        auto const whole = collect(u, {{0, 0}, {64, 48}});
        if (rt.root()) plate = whole;
    });
    return all;
}

TEST(MarchMessages, AreDividedByTheStepsAtATime) {
    struct {
        int ranks;
        std::array<node_extent, 2> nodes;
        int on_a_machine;
        long most; // messages of an exchange, wherever its corners go
    } const jobs[] = {{2, {2, 1}, 1, 2}, {3, {3, 1}, 1, 4}, {4, {4, 1}, 2, 2}, {4, {2, 2}, 1, 12}, {6, {3, 2}, 2, 12}};
    for (auto const& j : jobs) {
        std::vector<double> wanted;
        auto const single = march_of(j.ranks, j.nodes, j.on_a_machine, 1, wanted);
        EXPECT_EQ(single.exchanges, static_cast<std::uint64_t>(steps));
        EXPECT_GE(single.messages, steps * 2) << j.ranks;
        for (index_t const k : {2, 4, 8}) {
            std::vector<double> plate;
            auto const many = march_of(j.ranks, j.nodes, j.on_a_machine, k, plate);
            EXPECT_EQ(many.exchanges, static_cast<std::uint64_t>(steps / k)) << j.ranks << " ranks, " << k;
            EXPECT_EQ(plate, wanted) << j.ranks << " ranks, " << k;
            if (j.nodes[1].value() == 1) { // no corners
                EXPECT_EQ(many.messages * k, single.messages) << j.ranks << " ranks, " << k;
            } else {
                EXPECT_LE(many.messages, steps / k * j.most) << j.ranks << " ranks, " << k;
            }
        }
    }
}

// What a rank computes while its exchange is under way is only there where messages are.
TEST(MarchMessages, SeveralStepsAtATimeAreTheSameBits) {
    int const cases = random_cases(8);
    std::uint64_t const seed = 20261127;
    std::atomic<int> tiled{0}, overlaps{0};
    int all = 0;
    for (auto const& [size, on_a_machine] : {std::pair{2, 1}, {3, 1}, {4, 2}, {6, 1}}) {
        mailboxes boxes;
        all += cases;
        run_as_threads(size,
                       [&, on = on_a_machine, first = seed + static_cast<std::uint64_t>(size)](std::unique_ptr<bootstrap> boot) {
                           runtime rt{std::make_unique<mailed_bootstrap>(std::move(boot), boxes, on)};
                           for (int c = 0; c < cases && !HasFailure(); ++c) {
                               auto const told = run_march_case(rt, first, c);
                               tiled += told.tiled && rt.root() ? 1 : 0;
                               overlaps += told.overlaps && rt.root() ? 1 : 0;
                           }
                       });
        if (HasFailure()) return;
    }
    std::printf("%d cases, seed %lu, %d of them several steps at a time, %d with an exchange under way\n", all,
                static_cast<unsigned long>(seed), tiled.load(), overlaps.load());
    EXPECT_GE(tiled, all / 5);
    EXPECT_GE(overlaps, all / 10);
}

TEST(MarchThreads, SeveralStepsAtATimeAreTheSameBits) {
    int const cases = random_cases(6);
    std::uint64_t const seed = 20261126;
    std::atomic<int> tiled{0};
    for (char const* const threads : {"1", "2"}) {
        with_variable const inside{"SODE_THREADS", threads};
        for (int const size : {1, 2, 3, 4}) {
            run_threads(size, [&, first = seed + static_cast<std::uint64_t>(size)](runtime& rt) {
                for (int c = 0; c < cases && !HasFailure(); ++c) tiled += run_march_case(rt, first, c).tiled && rt.root() ? 1 : 0;
            });
            if (HasFailure()) return;
        }
    }
    std::printf("%d cases, seed %lu, %d of them several steps at a time\n", 8 * cases, static_cast<unsigned long>(seed),
                tiled.load());
    EXPECT_GE(tiled, 8 * cases / 5);
}

} // namespace
} // namespace sode::internal::testing
