// SPDX-License-Identifier: Apache-2.0
// Messages in plans as a program meets them: columns, views, oneself, nobody, and what is said when ends do not belong together.
#include "support/ranks.hpp"

#include <sode/array.hpp>
#include <sode/error.hpp>
#include <sode/exchange.hpp>
#include <sode/grid.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

TEST(exchange, columns_go_round) {
    auto& rt = ranks();
    constexpr index_t ny = 20, nx = 12;
    int const p = rt.size(), right = (rt.rank() + 1) % p, left = (rt.rank() + p - 1) % p;
    std::vector<double> u(ny * nx);
    auto const column = datatype::contiguous(8).repeated(ny, 8 * nx);
    auto ring = exchange_init(rt, {send_init(&u[nx - 2], column, right), recv_init(&u[0], column, left),
                                   send_init(&u[1], column, left, 1), recv_init(&u[nx - 1], column, right, 1)});
    for (int t = 0; t < 10; ++t) {
        std::iota(u.begin(), u.end(), 1000.0 * rt.rank() + t);
        ring();
        for (std::size_t j = 0; j < ny; ++j) {
            ASSERT_EQ(u[j * nx], 1000.0 * left + t + static_cast<double>(j * nx + nx - 2));
            ASSERT_EQ(u[j * nx + nx - 1], 1000.0 * right + t + static_cast<double>(j * nx + 1));
        }
    }
    EXPECT_EQ(ring.epochs(), 10U);
    EXPECT_THAT(ring.explain(), HasSubstr("exchange: rank"));
    EXPECT_THAT(ring.dump(), HasSubstr("exchange"));
}

TEST(exchange, of_the_views_of_arrays) {
    auto& rt = ranks();
    int const p = rt.size(), right = (rt.rank() + 1) % p, left = (rt.rank() + p - 1) % p;
    array<int, 1> a{grid<1>{rt, {index_t{8} * p}}, {}, 0, "a"};
    std::vector<int> copy(8);
    auto const mine = a.view();
    for (index_t i = mine.lower(0); i < mine.upper(0); ++i) mine(i) = static_cast<int>(i);
    auto shift = exchange_init(rt, {send_init(mine, right), recv_init(copy.data(), datatype::contiguous(32), left)});
    shift();
    for (int i = 0; i < 8; ++i) EXPECT_EQ(copy[static_cast<std::size_t>(i)], 8 * left + i);
    // The array lies in shared memory: whoever shares it reads it there.
    if (p > 1 && rt.describe().find("1 machine,") != std::string::npos) {
        auto forced = exchange_init(rt, {send_init(mine, right), recv_init(copy.data(), datatype::contiguous(32), left)},
                                    {.channel = "pull"});
        EXPECT_THAT(forced.explain(), HasSubstr("pull"));
        forced();
    }
}

TEST(exchange, with_oneself_with_nobody_and_of_nothing) {
    auto& rt = ranks();
    std::vector<int> from{1, 2, 3, 4}, to(4), untouched(4, 7);
    auto const whole = datatype::contiguous(16), reversed = datatype::contiguous(4).repeated(4, -4).moved(12);
    auto x = exchange_init(rt, {send_init(from.data(), whole, rt.rank(), 3), recv_init(to.data(), reversed, rt.rank(), 3),
                                send_init(from.data(), whole, nobody), recv_init(untouched.data(), whole, nobody),
                                send_init(nullptr, {}, rt.rank()), recv_init(nullptr, {}, rt.rank())});
    x();
    EXPECT_EQ(to, (std::vector{4, 3, 2, 1}));
    EXPECT_EQ(untouched, (std::vector{7, 7, 7, 7}));
    auto nothing = exchange_init(rt, {});
    nothing();
    nothing();
    EXPECT_EQ(nothing.epochs(), 2U);
}

TEST(exchange, messages_of_one_tag_keep_their_order) {
    auto& rt = ranks();
    int const p = rt.size(), right = (rt.rank() + 1) % p, left = (rt.rank() + p - 1) % p;
    std::vector<int> from{10, 20, 30}, to(3);
    auto const one = datatype::contiguous(4);
    auto x = exchange_init(rt,
                           {recv_init(&to[0], one, left), send_init(&from[0], one, right), recv_init(&to[1], one, left),
                            send_init(&from[1], one, right), send_init(&from[2], one, right), recv_init(&to[2], one, left)},
                           {.name = "three of a kind"});
    x();
    EXPECT_EQ(to, from);
    EXPECT_THAT(x.explain(), HasSubstr("three of a kind"));
}

std::string said(std::vector<message_end> const& ends, exchange_options const& options = {}) {
    try {
        auto const x = exchange_init(ranks(), ends, options);
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
    return "nothing";
}

// The mistake is one rank's; the error is everybody's, and says the same everywhere.
TEST(exchange, says_which_ends_do_not_belong_together) {
    auto& rt = ranks();
    int const last = rt.size() - 1;
    bool const mine = rt.rank() == last;
    std::vector<int> a(8), b(8);
    auto const four = datatype::contiguous(16), two = datatype::contiguous(8);
    auto const number = std::to_string(last);
    using ends = std::vector<message_end>;

    EXPECT_THAT(
        said(mine ? ends{send_init(a.data(), four, 0, 5)} : ends{}),
        HasSubstr(
            "exchange cannot be planned: rank " + number +
            " sends 1 message with tag 5 to rank 0, which receives 0 (every send needs a receive with the same tag at its target, "
            "and every receive needs a send with the same tag)\n  compare the ranks and tags in the lists of both ranks"));
    EXPECT_THAT(said(mine ? ends{recv_init(a.data(), four, 0, 5)} : ends{}),
                HasSubstr("rank 0 sends 0 messages with tag 5 to rank " + number + ", which receives 1"));
    ends unequal;
    if (mine) unequal.push_back(send_init(a.data(), four, 0));
    if (rt.root()) unequal.push_back(recv_init(b.data(), two, last));
    EXPECT_THAT(said(unequal), HasSubstr("rank " + number + " sends 16 bytes with tag 0 to rank 0, which receives 8"));

    EXPECT_THAT(said(mine ? ends{send_init(a.data(), four, rt.size())} : ends{}), HasSubstr("the job has ranks 0 to " + number));
    EXPECT_THAT(said(mine ? ends{send_init(nullptr, four, 0)} : ends{}), HasSubstr("the pointer is null"));
    EXPECT_THAT(said(mine ? ends{recv_init(a.data(), four.repeated(2, 4), 0)} : ends{}), HasSubstr("contains a byte twice"));
    EXPECT_THAT(said(mine ? ends{recv_init(a.data(), four, 0), recv_init(a.data() + 3, two, 0)} : ends{}),
                HasSubstr("message from rank 0 with tag 0 overlap"));
    EXPECT_THAT(said(mine ? ends{recv_init(a.data(), four, 0), send_init(a.data() + 3, two, 0, 4)} : ends{}),
                HasSubstr("the message to rank 0 with tag 4 and the message from rank 0 with tag 0 overlap"));
    EXPECT_THAT(said({}, {.channel = "pigeon"}), HasSubstr("unknown channel \"pigeon\""));
    EXPECT_THAT(said({}, {.channel = "inline"}), HasSubstr("cannot use channel inline"));
}

} // namespace
} // namespace sode::internal::testing
