// SPDX-License-Identifier: Apache-2.0
// Allgather and alltoall by Bruck's algorithm, as programs call them: over several machines, three epochs with other data each.
// What goes piece by piece, and what is said of that.
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

// Blocks with gaps, which go in few rounds, or in one.
TEST(CollectiveBlocks, GoByBruck) {
    auto& rt = ranks();
    auto const size = static_cast<std::size_t>(rt.size());
    constexpr index_t n = 5;
    bool const one = rt.job().ranks->machines().one();
    for (auto const* how : {"", "bruck", "bruck:3", "bruck:64", "bruck:2:2"})
        for (bool const alltoall : {false, true}) {
            std::vector<long> in(2 * n * size), out(n * size);
            std::vector<piece> given, got;
            for (std::size_t r = 0; r < size; ++r) {
                given.emplace_back(&in[2 * n * r], datatype::contiguous(8).repeated(n, 16));
                got.emplace_back(&out[n * r], datatype::contiguous(8 * n));
            }
            auto const init = [&] {
                return alltoall ? alltoall_init(rt, given, got, {.algorithm = how})
                                : allgather_init(rt, given[0], got, {.algorithm = how});
            };
            std::optional<exchange> x;
            try {
                x.emplace(init());
            } catch (error const& e) {
                EXPECT_TRUE(*how != 0 && (one || std::string_view{how} == "bruck:2:2")) << e.what();
                EXPECT_THAT(e.what(), HasSubstr("cannot use algorithm bruck"));
                continue;
            }
            EXPECT_FALSE(one && *how != 0);
            for (int e = 0; e < 3; ++e) {
                auto const value = [&](int from, std::size_t to, index_t i) {
                    return 1000000L * e + 10000L * from + 100L * static_cast<long>(alltoall ? to : 0) + i;
                };
                for (std::size_t r = 0; r < size; ++r)
                    for (index_t i = 0; i < n; ++i) in[2 * n * r + 2 * static_cast<std::size_t>(i)] = value(rt.rank(), r, i);
                std::ranges::fill(out, -1);
                (*x)();
                for (std::size_t r = 0; r < size; ++r)
                    for (index_t i = 0; i < n; ++i)
                        ASSERT_EQ(out[n * r + static_cast<std::size_t>(i)],
                                  value(static_cast<int>(r), static_cast<std::size_t>(rt.rank()), i))
                            << how << (alltoall ? " alltoall" : " allgather") << ", epoch " << e << ", of rank " << r;
            }
            EXPECT_TRUE(*how == 0 || x->explain().find("by radix") != std::string::npos) << x->explain();
        }
}

TEST(CollectivePieces, ExplainSaysHowLongPiecesAre) {
    auto& rt = ranks();
    if (rt.size() == 1) GTEST_SKIP() << "nothing moves";
    bool const one = rt.job().ranks->machines().one();
    std::vector<long> v(5000, rt.rank());
    auto b = broadcast_init(rt, std::span{v}, 0, {.algorithm = one ? "pipelined" : "circulant"});
    b();
    EXPECT_EQ(v, std::vector<long>(5000, 0));
    EXPECT_THAT(b.explain(), HasSubstr(one ? "in pieces of 8192 bytes" : "in pieces of "));
}

} // namespace
} // namespace sode::internal::testing
