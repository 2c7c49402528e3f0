// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process, each with kernels and a manager of its own: for the thread sanitizer, which sees one
// process.
#include "gmpi/kernels.hpp"
#include "support/message.hpp"
#include "support/with_variable.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sode::internal::testing {

TEST(GmpiThreads, MessagesAndPuts) {
    for (auto const& s : setups())
        for (int const size : {1, 3}) {
            gmpi::word wrong = 0;
            run_threads(size, [&](runtime& rt) {
                gmpi::context ctx{rt, s.options};
                constexpr std::size_t most = 90000;
                auto const n = static_cast<std::size_t>(size) * most;
                std::vector<std::uint32_t> data(2 * n);
                gmpi::launch(ctx, {.blocks = 1, .threads = 2}, all_to_all{2}, ctx.device_handle(), data.data(), data.data() + n,
                             most, &wrong)
                    .wait();
                int const window = ctx.window(std::span{data}.subspan(n, 3000));
                gmpi::launch(ctx, {.blocks = 1, .threads = 2}, puts{3, 3000, window}, ctx.device_handle(), data.data(),
                             data.data() + n, &wrong)
                    .wait();
            });
            EXPECT_EQ(wrong, 0U) << s.name << ", " << size << " ranks";
        }
}

TEST(GmpiThreads, Barriers) {
    for (int const size : {1, 2, 3, 5}) {
        std::vector<gmpi::word> entered(static_cast<std::size_t>(size));
        gmpi::word wrong = 0;
        run_threads(size, [&](runtime& rt) {
            gmpi::context ctx{rt, {.deadline = 100}};
            gmpi::launch(ctx, {}, barriers_in_kernels{}, ctx.device_handle(), entered.data(), &wrong).wait();
        });
        EXPECT_EQ(wrong, 0U) << size << " ranks";
    }
}

// SODE_DEVICE is for kernels what it is for arrays: the same device, whose memory they may touch, and send from.
struct shift_on_device {
    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, double* mine, double* got, int below, int above, int* failed) const {
        for (int i = 0; i < 4; ++i) mine[i] += 1;
        auto const g = t.thread();
        if (gmpi::sendrecv(g, ctx, mine, 4, above, 3, got, 4, below, 3) != gmpi::code::ok) ++*failed;
    }
};

TEST(GmpiThreads, KernelsAndArraysHaveOneDevice) {
    with_variable const device{"SODE_DEVICE", "emulated:2"};
    for (int const size : {1, 3}) {
        run_threads(size, [&](runtime& rt) {
            grid<1> const g{rt, {4 * size}};
            array<double, 1> here{g}, back{g};
            array<double, 1, sode::device> there{g, {}, 0.0, "there"}, came{g, {}, 0.0, "came"};
            loop(g.all(), [v = here.view()](index_t i) { v(i) = static_cast<double>(i); });
            upload(here, there);
            gmpi::context ctx{rt, {.deadline = 100}};
            EXPECT_NE(ctx.describe().find(rt.rank() % 2 == 0 ? "emulated device 0" : "emulated device 1"), std::string::npos)
                << ctx.describe();
            EXPECT_NE(ctx.describe().find(stream{rt}.device_name()), std::string::npos) << ctx.describe();
            int failed = 0;
            gmpi::launch(ctx, {}, shift_on_device{}, ctx.device_handle(), there.view().data_handle(), came.view().data_handle(),
                         (rt.rank() + size - 1) % size, (rt.rank() + 1) % size, &failed)
                .wait();
            EXPECT_EQ(failed, 0);
            download(came, back);
            loop(g.all(),
                 [&, v = back.view()](index_t i) { EXPECT_EQ(v(i), static_cast<double>((i + 4 * size - 4) % (4 * size) + 1)); });
        });
    }
}

TEST(GmpiThreads, WarpsPostForTheirThreads) {
    for (int const size : {1, 3}) {
        gmpi::word wrong = 0;
        run_threads(size, [&](runtime& rt) {
            constexpr std::uint32_t threads = 37;
            gmpi::context ctx{rt, {.deadline = 100}};
            auto const given = ctx.allocate<int>(threads), got = ctx.allocate<int>(threads);
            gmpi::launch(ctx, {.blocks = 1, .threads = threads}, ring_of_warps{}, ctx.device_handle(), given.get(), got.get(),
                         (rt.rank() + size - 1) % size, (rt.rank() + 1) % size, &wrong)
                .wait();
        });
        EXPECT_EQ(wrong, 0U) << size << " ranks";
    }
}

// The blocks of a grid synchronise in the exchange, and nowhere else.
struct sums_of_neighbours {
    int steps;

    template <class Thread>
    void operator()(Thread const& t, gmpi::device_handle ctx, gmpi::halo_handle h, view<long, 2> now, view<long, 2> next,
                    box<2> mine, std::atomic<int>* failed) const {
        auto const block = t.block();
        for (int s = 1; s <= steps; ++s, std::swap(now, next)) {
            if (gmpi::exchange(t, ctx, h, static_cast<gmpi::word>(s)) != gmpi::code::ok) {
                ++*failed;
                return;
            }
            for (auto i = mine.lower[0] + t.block_rank(); i < mine.upper[0]; i += t.blocks())
                for (auto j = mine.lower[1] + block.thread_rank(); j < mine.upper[1]; j += block.size())
                    next(i, j) = now(i - 1, j) + now(i + 1, j) + now(i, j - 1) - now(i, j + 1);
        }
    }
};

TEST(GmpiThreads, AGridExchangesHalos) {
    with_variable const device{"SODE_DEVICE", "emulated"};
    constexpr int steps = 7;
    for (int const size : {1, 2, 3}) {
        std::atomic<int> failed{0};
        run_threads(size, [&](runtime& rt) {
            grid<2> const g{rt, {13, 11}};
            buffered<long, 2> here{g, shadow{1}}, came{g, shadow{1}};
            loop(g.all(), [v = here.now()](index_t i, index_t j) { v(i, j) = 3 * i + 5 * j; });
            buffered<long, 2, sode::device> there{g, shadow{1}};
            upload(here, there);
            auto on_host = reflect_init({.periodic = true}, here), halo = reflect_init({.periodic = true}, there);
            gmpi::context ctx{rt, {.deadline = 100}};
            auto const handle = ctx.device_handle(halo);
            EXPECT_FALSE(handle.by_manager);
            gmpi::launch(ctx, {.blocks = 3, .threads = 2}, sums_of_neighbours{steps}, ctx.device_handle(), handle, there.now(),
                         there.next(), g.all().part(), &failed)
                .wait();
            for (int s = 0; s < steps; ++s, here.flip(), there.flip()) {
                on_host();
                loop(g.all(), [a = here.now(), b = here.next()](index_t i, index_t j) {
                    b(i, j) = a(i - 1, j) + a(i + 1, j) + a(i, j - 1) - a(i, j + 1);
                });
            }
            download(there, came);
            auto const wrong = reduce(g.all(), 0L, sode::max, [a = here.now(), b = came.now()](index_t i, index_t j) {
                return a(i, j) == b(i, j) ? 0L : 1L;
            });
            EXPECT_EQ(wrong, 0) << size << " ranks";
        });
        EXPECT_EQ(failed, 0) << size << " ranks";
    }
}

TEST(GmpiThreads, KernelsRunOnNoDeviceThatIsNotThere) {
    for (auto const& [setting, words] : {std::pair{"none", "this rank has no device (SODE_DEVICE is none)"},
                                         std::pair{"cuda", "cannot run on a CUDA device (nvcc has not compiled the program"}}) {
        with_variable const device{"SODE_DEVICE", setting};
        runtime rt{0, nullptr};
        auto const made = [&] { return gmpi::context{rt}.describe(); };
        EXPECT_THAT(message(made, error_kind::environment), ::testing::HasSubstr(words));
    }
}

} // namespace sode::internal::testing
