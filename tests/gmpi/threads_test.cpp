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
            std::atomic<int> wrong{0};
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
            EXPECT_EQ(wrong, 0) << s.name << ", " << size << " ranks";
        }
}

TEST(GmpiThreads, Barriers) {
    for (int const size : {1, 2, 3, 5}) {
        std::atomic<int> entered{0}, wrong{0};
        run_threads(size, [&](runtime& rt) {
            gmpi::context ctx{rt, {.deadline = 100}};
            gmpi::launch(ctx, {}, barriers_in_kernels{}, ctx.device_handle(), &entered, size, &wrong).wait();
        });
        EXPECT_EQ(wrong, 0) << size << " ranks";
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

TEST(GmpiThreads, KernelsRunOnNoDeviceThatIsNotThere) {
    for (auto const& [setting, words] : {std::pair{"none", "this rank has no device (SODE_DEVICE is none)"},
                                         std::pair{"cuda", "cannot run on a device of CUDA (nvcc has not compiled it"}}) {
        with_variable const device{"SODE_DEVICE", setting};
        runtime rt{0, nullptr};
        auto const made = [&] { return gmpi::context{rt}.describe(); };
        EXPECT_THAT(message(made, error_kind::environment), ::testing::HasSubstr(words));
    }
}

} // namespace sode::internal::testing
