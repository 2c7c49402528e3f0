// SPDX-License-Identifier: Apache-2.0
// Random patterns of bytes, put into and got from windows, compared with byte by byte copies.
#include "support/cases.hpp"
#include "support/ranks.hpp"

#include <sode/window.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

namespace sode::internal::testing {
namespace {

constexpr index_t room = 200000;

// Where the bytes of a pattern lie, in its order.
std::vector<index_t> places(byte_pattern const& p) {
    std::vector<index_t> starts{p.offset};
    for (auto const& [count, stride] : p.loops) {
        std::vector<index_t> next;
        for (auto const s : starts)
            for (index_t k = 0; k < count; ++k) next.push_back(s + k * stride);
        starts = std::move(next);
    }
    std::vector<index_t> all;
    for (auto const s : starts)
        for (index_t b = 0; b < p.bytes; ++b) all.push_back(s + b);
    return all;
}

// Of disjoint blocks: each loop strides over all that it repeats.
byte_pattern random_pattern(std::mt19937& draw, index_t bytes, std::vector<index_t> const& counts) {
    auto const upto = [&](index_t most) { return std::uniform_int_distribution<index_t>{0, most}(draw); };
    byte_pattern p{.bytes = bytes};
    index_t span = bytes, low = 0;
    for (auto k = counts.size(); k-- > 0;) {
        index_t stride = span + upto(5);
        if (upto(3) == 0) {
            stride = -stride;
            low += (counts[k] - 1) * stride;
        }
        p.loops.insert(p.loops.begin(), {counts[k], stride});
        span = std::abs(stride) * (counts[k] - 1) + span;
    }
    p.offset = -low + upto(room - span);
    return p;
}

TEST(WindowRandom, PatternsArriveByteByByte) {
    std::random_device entropy;
    auto const* const given = std::getenv("TEST_SEED");
    unsigned const seed = (given ? static_cast<unsigned>(std::atoll(given)) : entropy()) + static_cast<unsigned>(ranks().rank());
    int const cases = random_cases(150);
    if (ranks().root()) std::printf("seed %u, %d cases\n", seed, cases);
    std::mt19937 draw{seed};
    int const me = ranks().rank(), all = ranks().size();
    // A block for each rank at each rank, so that nobody disturbs anybody.
    window w{ranks(), static_cast<std::size_t>(room * all), "w"};
    std::vector<std::vector<unsigned char>> theirs(static_cast<std::size_t>(all), std::vector<unsigned char>(room));
    for (int c = 0; c < cases; ++c) {
        std::vector<index_t> counts;
        index_t bytes = 1 + static_cast<index_t>(draw() % 24), total = bytes;
        for (auto d = draw() % 4; d-- > 0;) {
            counts.push_back(1 + static_cast<index_t>(draw() % 12));
            total *= counts.back();
        }
        if (draw() % 5 == 0) bytes *= 16;
        if (total * 17 > room) continue;
        auto const near = random_pattern(draw, bytes, counts);
        auto far = random_pattern(draw, bytes, counts);
        int const target = static_cast<int>(draw() % static_cast<unsigned>(all));
        auto const from = places(near), to = places(far);
        auto& model = theirs[static_cast<std::size_t>(target)];
        std::vector<unsigned char> data(room);
        for (auto& b : data) b = static_cast<unsigned char>(draw());
        far.offset += room * me;
        if (draw() % 2 == 0) {
            for (std::size_t k = 0; k < from.size(); ++k)
                model[static_cast<std::size_t>(to[k])] = data[static_cast<std::size_t>(from[k])];
            w.put(target, far, data.data(), near);
        } else {
            auto expected = data;
            for (std::size_t k = 0; k < from.size(); ++k)
                expected[static_cast<std::size_t>(from[k])] = model[static_cast<std::size_t>(to[k])];
            w.get(target, far, data.data(), near);
            ASSERT_EQ(data, expected) << "case " << c << " of seed " << seed;
        }
    }
    for (int r = 0; r < all; ++r) {
        std::vector<unsigned char> whole(room);
        w.get(r, {.offset = room * me, .bytes = room}, whole.data(), {.bytes = room});
        EXPECT_EQ(whole, theirs[static_cast<std::size_t>(r)]);
    }
    w.barrier();
}

} // namespace
} // namespace sode::internal::testing
