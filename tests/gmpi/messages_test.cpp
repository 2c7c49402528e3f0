// SPDX-License-Identifier: Apache-2.0
// What kernels of several ranks ask for is done: messages of all lengths in order, in memory that peers reach and in memory that
// they do not, signals behind what was put, barriers, parts and plans; and what cannot be done is told by a code.
#include "base/task_board.hpp"
#include "device/accelerator.hpp"
#include "gmpi/kernels.hpp"
#include "model/job.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/collectives.hpp>
#include <sode/error.hpp>
#include <sode/gmpi.hpp>
#include <sode/grid.hpp>
#include <sode/halo.hpp>
#include <sode/loop.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace sode::internal::testing {

// CUDA's driver knows one process for each address space.
TEST(GmpiMessages, TasksHaveNoCuda) {
    auto const kernels = [] { gmpi::detail::refuse_cuda_in_tasks(); };
    if (!own_task_place()) {
        EXPECT_NO_THROW(kernels());
        return;
    }
    auto& j = ranks().job();
    auto const arrays = [&] {
        static_cast<void>(open_device(wished_device("cuda", 0), {.shared = *j.memory, .freed = j.freed, .plugin = {}}));
    };
    constexpr char const* words = "this rank cannot use a CUDA device (the rank is a task in the address space of other ranks";
    EXPECT_THAT(message(kernels, error_kind::environment), ::testing::HasSubstr(words));
    EXPECT_THAT(message(arrays, error_kind::environment), ::testing::HasSubstr(words));
}

TEST(GmpiMessages, FromAllToAll) {
    constexpr std::size_t most = 90000;
    for (auto const& s : setups())
        for (home const where : {home::shared, home::own}) {
            auto& rt = ranks();
            gmpi::context ctx{rt, s.options};
            auto const n = static_cast<std::size_t>(rt.size()) * most;
            auto const shared = where == home::shared ? ctx.allocate<std::uint32_t>(2 * n) : std::shared_ptr<std::uint32_t[]>{};
            std::vector<std::uint32_t> own(where == home::own ? 2 * n : 0);
            auto* const data = where == home::own ? own.data() : shared.get();
            gmpi::word wrong = 0;
            gmpi::launch(ctx, {.blocks = 1, .threads = 2}, all_to_all{number_of("TEST_ROUNDS", 4)}, ctx.device_handle(), data,
                         data + n, most, &wrong)
                .wait();
            EXPECT_EQ(wrong, 0U) << s.name << (where == home::own ? ", memory of its own" : ", common memory");
        }
}

TEST(GmpiMessages, Collectives) {
    for (auto const& s : setups()) {
        gmpi::context ctx{ranks(), s.options};
        auto const whole = ctx.allocate<std::int64_t>(2 * collectives_in_kernels::n);
        auto const real = ctx.allocate<double>(2 * collectives_in_kernels::n);
        gmpi::word wrong = 0;
        gmpi::launch(ctx, {.blocks = 1, .threads = 3}, collectives_in_kernels{}, ctx.device_handle(), whole.get(), real.get(),
                     &wrong)
            .wait();
        EXPECT_EQ(wrong, 0U) << s.name;
    }
}

TEST(GmpiMessages, BlocksAtTheSameTime) {
    for (auto const& s : setups()) {
        gmpi::context ctx{ranks(), s.options};
        auto const words = ctx.allocate<std::uint64_t>(8);
        gmpi::word wrong = 0;
        gmpi::launch(ctx, {.blocks = 4, .threads = 2}, rings{number_of("TEST_ROUNDS", 30)}, ctx.device_handle(), words.get(),
                     &wrong)
            .wait();
        EXPECT_EQ(wrong, 0U) << s.name;
    }
}

TEST(GmpiMessages, PutsAndSignals) {
    for (auto const& s : setups())
        for (std::size_t const n : {std::size_t{2}, std::size_t{3000}, std::size_t{100000}})
            for (home const where : {home::shared, home::own}) {
                gmpi::context ctx{ranks(), s.options};
                auto const given = ctx.allocate<std::uint32_t>(n);
                auto const got = ctx.allocate<std::uint32_t>(n);
                std::vector<std::uint32_t> own(n);
                std::span const target{where == home::own ? own.data() : got.get(), n};
                int const window = ctx.window(target);
                gmpi::word wrong = 0;
                gmpi::launch(ctx, {.blocks = 1, .threads = 3}, puts{4, n, window}, ctx.device_handle(), given.get(), target.data(),
                             &wrong)
                    .wait();
                EXPECT_EQ(wrong, 0U) << s.name << ", " << n << " elements" << (where == home::own ? ", memory of its own" : "");
            }
}

TEST(GmpiMessages, Parts) {
    for (auto const& s : setups())
        for (std::size_t const each : {std::size_t{1}, std::size_t{3000}}) {
            auto& rt = ranks();
            gmpi::context ctx{rt, s.options};
            constexpr std::uint32_t parts = 8;
            std::vector<std::uint32_t> given(parts * each), got(parts * each);
            auto const out = ctx.psend_init(std::span<std::uint32_t const>{given}, parts, (rt.rank() + 1) % rt.size(), 9);
            auto const in = ctx.precv_init(std::span{got}, parts, (rt.rank() + rt.size() - 1) % rt.size(), 9);
            gmpi::word wrong = 0;
            gmpi::launch(ctx, {.blocks = 1, .threads = 2}, parts_in_kernels{out, in, each}, ctx.device_handle(), given.data(),
                         got.data(), &wrong)
                .wait();
            EXPECT_EQ(wrong, 0U) << s.name << ", " << each;
        }
}

TEST(GmpiMessages, PlansOfHalosAndSums) {
    auto& rt = ranks();
    constexpr int n = 64, steps = 40;
    grid<1> const rod{rt, {n}};
    array<double, 1> u{rod, shadow{1}};
    loop(rod.all(), [a = u.view()](auto i) { a(i) = static_cast<double>(i * i % 17); });
    auto halo = reflect_init({.periodic = true}, u);
    double mine = 0, all = 0;
    auto sum_of_all = allreduce_init(rt, std::span<double const>{&mine, 1}, std::span{&all, 1}, sum);
    gmpi::context ctx{rt, {.deadline = 100}};
    gmpi::word wrong = 0;
    auto const own = rod.all();
    long first = n, last = 0;
    loop(own, [&](auto i) {
        first = std::min<long>(first, i);
        last = std::max<long>(last, i + 1);
    });
    gmpi::launch(ctx, {.blocks = 1, .threads = 3}, heat{ctx.add(halo), ctx.add(sum_of_all), steps}, ctx.device_handle(), u.view(),
                 first, last, &mine, &wrong)
        .wait();
    EXPECT_EQ(wrong, 0U);
    // The same, by one.
    std::array<double, n> a{}, b{};
    for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<double>(i * i % 17);
    for (int s = 0; s < steps; ++s, std::swap(a, b))
        for (std::size_t i = 0; i < n; ++i) b[i] = 0.5 * a[i] + 0.25 * (a[(i + n - 1) % n] + a[(i + 1) % n]);
    loop(own, [&, v = u.view()](auto i) { EXPECT_EQ(v(i), a[static_cast<std::size_t>(i)]); });
    double total = 0;
    for (double const x : a) total += x;
    EXPECT_NEAR(all, total, 1e-9 * total);
}

// The kernel is at the other half after each step, and the program does not know before the kernel is over.
TEST(GmpiMessages, PlansOfHalosOfBufferedArrays) {
    auto& rt = ranks();
    long const n = 8L * rt.size();
    grid<1> const rod{rt, {n}};
    buffered<double, 1> u{rod, shadow{1}};
    loop(rod.all(), [a = u.now()](auto i) { a(i) = static_cast<double>(i); });
    auto halo = reflect_init({.periodic = true}, u);
    gmpi::context ctx{rt, {.deadline = 100}};
    auto const plan = ctx.add(halo);
    auto const own = rod.all().part();
    gmpi::word wrong = 0;
    long all = 0;
    for (int const steps : {5, 1, 4, 3}) { // an odd number of them moves the half at which the next kernel begins
        gmpi::launch(ctx, {.blocks = 1, .threads = 2}, shifts{plan, steps}, ctx.device_handle(), u.now(), u.next(), own.lower[0],
                     own.upper[0], &wrong)
            .wait();
        for (int s = 0; s < steps; ++s) u.flip();
        all += steps;
    }
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(halo.epochs(), static_cast<std::uint64_t>(all));
    loop(rod.all(), [&, a = u.now()](auto i) { EXPECT_EQ(a(i), static_cast<double>((i - all % n + n) % n + all)); });
    halo(); // and the host goes on
    loop(rod.all(), [&, a = u.now()](auto i) {
        if (i == own.lower[0]) {
            EXPECT_EQ(a(i - 1), static_cast<double>((i - 1 - all % n + 2 * n) % n + all));
        }
    });
}

} // namespace sode::internal::testing
