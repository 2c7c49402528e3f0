// SPDX-License-Identifier: Apache-2.0
#include "halo/copies.hpp"
#include "halo/fields.hpp"
#include "halo/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

namespace sode::internal::bench {
namespace {

TEST(HaloCase, ReadsItsName) {
    auto const c = halo_case::parse("3d64_h3_f8_z_per", 2);
    EXPECT_EQ(c.n, (extent3{64, 64, 64}));
    EXPECT_EQ(c.width, (extent3{3, 3, 3}));
    EXPECT_EQ(c.fields, 8);
    EXPECT_EQ(c.grid, (std::array{1, 1, 2}));
    EXPECT_TRUE(c.periodic);
    auto const flat = halo_case::parse("2d1024_x", 2);
    EXPECT_EQ(flat.n, (extent3{1, 1024, 1024}));
    EXPECT_EQ(flat.width, (extent3{0, 1, 1}));
    EXPECT_EQ(flat.grid, (std::array{1, 2, 1}));
    EXPECT_EQ(halo_case::parse("3d16_422", 16).grid, (std::array{4, 2, 2}));
}

TEST(HaloCase, RefusesWhatItCannotRead) {
    for (auto const* name : {"4d8_x", "3d_x", "3dx_x", "3d8", "3d8_w", "3d8_f0_x", "3d8_221", "2d8_211", "3d2_h3_x"})
        EXPECT_THROW(static_cast<void>(halo_case::parse(name, 2)), std::invalid_argument) << name;
}

TEST(Sizes, TellWhatTheBusiestRankReceives) {
    auto const of = [](char const* name, int ranks) {
        auto const all = sizes(halo_case::parse(name, ranks));
        return std::map<std::string, double>{all.begin(), all.end()};
    };
    auto face = of("3d64_h3_f8_y", 2);
    EXPECT_EQ(face["bytes"], 64 * 64 * 3 * 8 * 8);
    EXPECT_EQ(face["messages"], 1);
    EXPECT_EQ(face["ranks_y"], 2);
    // Both faces across z and what is diagonal to them; what stays on the rank is no message.
    auto ring = of("3d4_z_per", 2);
    EXPECT_EQ(ring["messages"], 18);
    EXPECT_EQ(ring["bytes"], 2 * 6 * 6 * 8);
    // In a row of three the one in the middle.
    EXPECT_EQ(of("2d8_131", 3)["messages"], 2);
}

TEST(RankBlock, HalosAndEdgesOfNeighboursAreTheSameElements) {
    for (auto const* name : {"3d5_221_per", "3d5_h2_411", "2d6_122_per", "3d4_114_per"}) {
        auto const c = halo_case::parse(name, 4);
        for (int rank = 0; rank < 4; ++rank) {
            rank_block const mine{c, rank};
            for (auto const& d : directions()) {
                auto const peer = mine.neighbour(d);
                if (!peer) continue;
                rank_block const theirs{c, *peer};
                ASSERT_EQ(theirs.neighbour(opposite(d)), rank);
                box const to = mine.halo(d), from = theirs.edge(opposite(d));
                ASSERT_EQ(to.size, from.size);
                EXPECT_EQ(mine.global(to.from), theirs.global(from.from)) << name;
            }
        }
    }
}

TEST(Fields, NoticeEveryElementThatDidNotArrive) {
    auto const c = halo_case::parse("3d4_f2_x_per", 1);
    rank_block const b{c, 0};
    auto const memory = private_memory(field_memory{b}.bytes());
    auto f = field_memory{b}.in(memory.get());
    f.rewrite(1, true);
    f.poison();
    long const everything = 2 * (6 * 6 * 6 - 4 * 4 * 4);
    EXPECT_EQ(f.mismatches(1), everything);
    auto const copies = self_copies(f);
    run(copies);
    EXPECT_EQ(f.mismatches(1), 0);
    EXPECT_EQ(f.mismatches(2), everything);
    // What is rewritten for the timed rounds is enough for a correct exchange as well.
    f.rewrite(2, false);
    f.poison();
    run(copies);
    EXPECT_EQ(f.mismatches(2), 0);
    *(f.base(1) + 35) += 1;
    EXPECT_EQ(f.mismatches(2), 1);
}

// Every kernel, packed and strided on either side, against element by element; bytes around the target stay.
TEST(BoxCopy, CopiesTheBoxAndNothingElse) {
    for (std::int64_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17, 64, 511, 512, 600})
        for (std::int64_t rows : {1, 7, 8, 19})
            for (std::int64_t planes : {1, 3})
                for (int gaps : {0, 1, 2, 3}) {
                    extent3 const size{planes, rows, length};
                    std::int64_t const to_pitch = length + (gaps & 1) * 5, from_pitch = length + (gaps >> 1) * 3;
                    auto const strides = [&](std::int64_t pitch) {
                        return extent3{pitch * (rows + (pitch != length)) * 8, pitch * 8, 8};
                    };
                    auto const room = [&](std::int64_t pitch) {
                        return static_cast<std::size_t>(strides(pitch)[0] / 8 * planes + 16);
                    };
                    std::vector<double> from(room(from_pitch)), to(room(to_pitch), -1), expected = to;
                    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
                    auto const at = [&](extent3 const& s, std::int64_t p, std::int64_t r, std::int64_t e) {
                        return static_cast<std::size_t>(8 + (p * s[0] + r * s[1] + e * s[2]) / 8);
                    };
                    for (std::int64_t p = 0; p < planes; ++p)
                        for (std::int64_t r = 0; r < rows; ++r)
                            for (std::int64_t e = 0; e < length; ++e)
                                expected[at(strides(to_pitch), p, r, e)] = from[at(strides(from_pitch), p, r, e)];
                    box_copy const copy{{reinterpret_cast<char*>(to.data() + 8), strides(to_pitch)},
                                        {reinterpret_cast<char*>(from.data() + 8), strides(from_pitch)},
                                        size};
                    copy.run();
                    ASSERT_EQ(to, expected) << planes << " x " << rows << " x " << length << ", gaps " << gaps;
                    EXPECT_EQ(copy.bytes(), planes * rows * length * 8);
                }
}

} // namespace
} // namespace sode::internal::bench
