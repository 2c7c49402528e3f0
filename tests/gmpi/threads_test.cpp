// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process, each with kernels and a manager of its own: for the thread sanitizer, which sees one
// process.
#include "gmpi/kernels.hpp"

#include <sode/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
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

} // namespace sode::internal::testing
