// SPDX-License-Identifier: Apache-2.0
// Windows: what ranks put, get and do to words of each other, on one machine and between machines, also while the target computes.
#include "support/has_windows.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>
#include <sode/window.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

[[maybe_unused]] bool const for_windows = has_windows = true;

template <class T> constexpr index_t bytes(index_t count) {
    return count * static_cast<index_t>(sizeof(T));
}

bool only_in_calls() {
    auto const* const who = std::getenv("SODE_PROGRESS");
    return who && std::string{who} == "calls";
}

// The words of this rank's own block.
std::int64_t* own(window& w) {
    return reinterpret_cast<std::int64_t*>(w.memory(ranks().rank()));
}

TEST(Window, EveryRankReachesEveryOther) {
    int const me = ranks().rank(), all = ranks().size();
    window w{ranks(), 16 * sizeof(std::int64_t) * static_cast<std::size_t>(all), "w"};
    for (int r = 0; r < all; ++r) {
        std::vector<std::int64_t> values(16);
        std::iota(values.begin(), values.end(), 1000 * me + 100 * r);
        w.put(r, {.offset = bytes<std::int64_t>(16) * me, .bytes = bytes<std::int64_t>(16)}, values.data(),
              {.bytes = bytes<std::int64_t>(16)});
    }
    w.barrier();
    for (int r = 0; r < all; ++r)
        for (int i = 0; i < 16; ++i) EXPECT_EQ(own(w)[16 * r + i], 1000 * r + 100 * me + i);
    for (int r = 0; r < all; ++r) {
        std::vector<std::int64_t> got(8, -1);
        w.get(r, {.offset = bytes<std::int64_t>(16) * me, .bytes = 8, .loops = {{8, 16}}}, got.data(), {.bytes = 64});
        for (int i = 0; i < 8; ++i) EXPECT_EQ(got[static_cast<std::size_t>(i)], 1000 * me + 100 * r + 2 * i);
    }
    w.barrier();
}

TEST(Window, AccessesOfOneRankToAnotherKeepTheirOrder) {
    int const me = ranks().rank(), right = (me + 1) % ranks().size();
    window w{ranks(), 64, "w"};
    for (std::int64_t round = 1; round <= 100; ++round) {
        std::int64_t got = 0;
        w.put(right, {.bytes = 8}, &round, {.bytes = 8});
        w.get(right, {.bytes = 8}, &got, {.bytes = 8});
        ASSERT_EQ(got, round);
    }
    w.barrier();
}

TEST(Window, WhatWasPutIsThereBeforeAWordSaysSo) {
    int const me = ranks().rank(), right = (me + 1) % ranks().size();
    window w{ranks(), 1 << 20, "w"};
    std::vector<std::byte> data((1 << 20) - 64);
    for (int round = 1; round <= 3; ++round) {
        std::fill(data.begin(), data.end(), static_cast<std::byte>(round + me));
        w.put(right, {.offset = 64, .bytes = static_cast<index_t>(data.size())}, data.data(),
              {.bytes = static_cast<index_t>(data.size())});
        w.word(right, 0, 8, word_operation::store, round);
        w.await(me, 0, 8, word_relation::equal, round);
        auto const* const mine = w.memory(me);
        int const left = (me + ranks().size() - 1) % ranks().size();
        for (std::size_t i = 64; i < (1 << 20); i += 4093) ASSERT_EQ(mine[i], static_cast<std::byte>(round + left));
        w.barrier();
    }
}

TEST(Window, WordsAreChangedInOnePiece) {
    int const me = ranks().rank(), all = ranks().size(), last = all - 1;
    window w{ranks(), 64, "w"};
    for (int i = 0; i < 50; ++i) w.word(last, 8, 8, word_operation::add, 1);
    for (int i = 0; i < 50; ++i) w.word(0, 4, 4, word_operation::add, -1);
    w.word(0, 16, 8, word_operation::bit_or, std::int64_t{1} << me);
    for (int i = 0; i < 20; ++i) { // a lock
        while (w.word(last, 24, 8, word_operation::compare_exchange, me + 1, 0) != 0) w.await(last, 24, 8, word_relation::equal, 0);
        std::int64_t value = 0;
        w.get(0, {.offset = 32, .bytes = 8}, &value, {.bytes = 8});
        ++value;
        w.put(0, {.offset = 32, .bytes = 8}, &value, {.bytes = 8});
        EXPECT_EQ(w.word(last, 24, 8, word_operation::store, 0), me + 1);
    }
    w.barrier();
    EXPECT_EQ(w.word(last, 8, 8, word_operation::load), 50 * all);
    EXPECT_EQ(w.word(0, 4, 4, word_operation::load), -50 * all);
    EXPECT_EQ(w.word(0, 16, 8, word_operation::load), (std::int64_t{1} << all) - 1);
    EXPECT_EQ(w.word(0, 32, 8, word_operation::load), 20 * all);
    w.barrier();
}

TEST(Window, BlocksAnywhere) {
    int const right = (ranks().rank() + 1) % ranks().size();
    constexpr int n = 3000;
    window w{ranks(), n * sizeof(int), "w"};
    std::vector<index_t> offsets;
    std::vector<int> values, got(n / 2);
    for (int i = 0; i < n; i += 2) {
        offsets.push_back(bytes<int>((i * 7 + 1) % n));
        values.push_back(i);
    }
    w.put(right, offsets, sizeof(int), values.data());
    w.get(right, offsets, sizeof(int), got.data());
    EXPECT_EQ(got, values);
    w.barrier();
    EXPECT_EQ(reinterpret_cast<int*>(w.memory(ranks().rank()))[(100 * 7 + 1) % n], 100);
}

// Rank 0 comes to no call of the library before all others have got what they ask of it.
TEST(Window, ATargetThatComputesIsServed) {
    if (only_in_calls() && ranks().size() > 1) GTEST_SKIP() << "nobody serves then";
    window w{ranks(), 64, "w"};
    std::int64_t const others = ranks().size() - 1;
    own(w)[1] = 4711;
    w.barrier();
    if (ranks().rank() == 0) {
        std::atomic_ref done{own(w)[0]};
        while (done.load() < others) {
        }
    } else {
        for (int i = 0; i < 20; ++i) {
            std::int64_t got = 0, put = ranks().rank();
            w.get(0, {.offset = 8, .bytes = 8}, &got, {.bytes = 8});
            EXPECT_EQ(got, 4711);
            w.put(0, {.offset = 16, .bytes = 8}, &put, {.bytes = 8});
        }
        w.word(0, 0, 8, word_operation::add, 1);
    }
    w.barrier();
}

TEST(Window, FlushServesOthers) {
    window w{ranks(), 64, "w"};
    std::int64_t const others = ranks().size() - 1;
    if (ranks().rank() == 0) {
        std::atomic_ref done{own(w)[0]};
        while (done.load() < others) w.flush();
    } else {
        w.word(0, 0, 8, word_operation::add, 1);
    }
    w.barrier();
}

TEST(Window, OfAnArray) {
    array<int, 1> a{grid<1>{ranks(), {10 * ranks().size()}}, shadow{1}, 0, "a"};
    loop(a.all(), [v = *a](auto i) { v(i) = static_cast<int>(i); });
    window w{a};
    w.barrier();
    for (int r = 0; r < ranks().size(); ++r) {
        int got = 0;
        w.get(r, {.offset = bytes<int>(1 + 3), .bytes = sizeof(int)}, &got, {.bytes = sizeof(int)});
        EXPECT_EQ(got, 10 * r + 3);
    }
    w.barrier();
}

TEST(Window, OfAnArrayOfWhichMostRanksHaveNothing) {
    array<int, 1> a{grid<1>{ranks(), {1}}, shadow{}, 42, "a"};
    window w{a};
    w.barrier();
    int got = 0;
    w.get(0, {.offset = 0, .bytes = sizeof(int)}, &got, {.bytes = sizeof(int)});
    EXPECT_EQ(got, 42);
    w.barrier();
}

TEST(Window, SeveralWithBlocksOfOwnLengths) {
    auto const length = [](int rank) { return 8 * static_cast<std::size_t>(rank); };
    int const me = ranks().rank(), last = ranks().size() - 1;
    window one{ranks(), length(me), "one"}, two{ranks(), 8, "two"};
    for (int r = 0; r <= last; ++r) EXPECT_EQ(one.bytes(r), length(r));
    two.word(last, 0, 8, word_operation::add, 1);
    if (last > 0) one.word(last, length(last) - 8, 8, word_operation::add, 1);
    one.barrier();
    EXPECT_EQ(two.word(last, 0, 8, word_operation::load), last + 1);
    if (last > 0) {
        EXPECT_EQ(one.word(last, length(last) - 8, 8, word_operation::load), last + 1);
    }
    EXPECT_THAT(message([&] {
                    one.word(0, 0, 8, word_operation::load);
                    return 0;
                }),
                HasSubstr("bytes 0 to 7 of window \"one\" on rank 0"));
    one.barrier();
}

// With SODE_TIMEOUT=2.
TEST(WindowTimeout, AWaitForAWordThatNobodyWritesEnds) {
    auto const* const limit = std::getenv("SODE_TIMEOUT");
    if (!limit || std::string{limit} != "2") GTEST_SKIP() << "it would wait for long";
    window w{ranks(), 64, "w"};
    for (int const rank : {ranks().rank(), (ranks().rank() + 1) % ranks().size()})
        EXPECT_THAT(message([&] { return w.await(rank, 8, 8, word_relation::equal, 1); }, error_kind::timeout),
                    HasSubstr("in a wait for a word in window \"w\" (SODE_TIMEOUT is 2 s)"));
    w.barrier();
}

TEST(Window, WhatCannotBeIsRefused) {
    window w{ranks(), 64, "w"};
    int value = 0;
    int const all = ranks().size(), last = all - 1;
    EXPECT_THAT(message([&] {
                    w.put(all, {.bytes = 4}, &value, {.bytes = 4});
                    return 0;
                }),
                HasSubstr("rank " + std::to_string(all) + " of window \"w\" does not exist"));
    EXPECT_THAT(message([&] {
                    w.get(last, {.offset = 61, .bytes = 4}, &value, {.bytes = 4});
                    return 0;
                }),
                HasSubstr("bytes 61 to 64 of window \"w\" on rank " + std::to_string(last) +
                          " do not exist (the window has 64 bytes on that rank)"));
    EXPECT_THAT(message([&] {
                    w.put(last, {.offset = -1, .bytes = 4}, &value, {.bytes = 4});
                    return 0;
                }),
                HasSubstr("do not exist"));
    EXPECT_THAT(message([&] {
                    w.put(last, {.bytes = 8}, &value, {.bytes = 4});
                    return 0;
                }),
                HasSubstr("4 bytes cannot be copied to 8 bytes in window \"w\""));
    EXPECT_THAT(message([&] {
                    w.word(last, 6, 4, word_operation::load);
                    return 0;
                }),
                HasSubstr("is not the start of a word of 4 bytes"));
    w.barrier();
}

} // namespace
} // namespace sode::internal::testing
