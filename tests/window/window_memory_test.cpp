// SPDX-License-Identifier: Apache-2.0
// Windows of memory that only its owner can load and store: other ranks put and get there, on its machine, too.
#include "support/has_windows.hpp"
#include "support/message.hpp"
#include "support/ranks.hpp"

#include <sode/window_memory.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

[[maybe_unused]] bool const for_windows = has_windows = true;

// What a rank's device has. It is not in memory that ranks share.
class far_memory final : public window_memory {
public:
    explicit far_memory(std::size_t count) : words(count) {}
    bool load(byte_pattern const& what, std::byte* packed) override {
        return each(what, [&](std::byte* at, index_t bytes) { packed = std::copy_n(at, bytes, packed); });
    }
    bool store(byte_pattern const& what, std::byte const* packed) override {
        return each(what, [&](std::byte* at, index_t bytes) {
            std::copy_n(packed, bytes, at);
            packed += bytes;
        });
    }
    std::vector<std::int64_t> words;
    std::atomic<bool> there = true;

private:
    template <class Act> bool each(byte_pattern const& what, Act act) {
        if (!there) return false;
        index_t rounds = 1;
        for (auto const& l : what.loops) rounds *= l.count;
        for (index_t round = 0; round < rounds; ++round) {
            auto at = what.offset;
            auto rest = round;
            for (auto k = what.loops.size(); k-- > 0; rest /= what.loops[k].count)
                at += rest % what.loops[k].count * what.loops[k].stride;
            act(reinterpret_cast<std::byte*>(words.data()) + at, what.bytes);
        }
        return true;
    }
};

constexpr index_t word = sizeof(std::int64_t);

TEST(WindowMemory, EveryRankReachesEveryOther) {
    int const me = ranks().rank(), all = ranks().size();
    auto const mine = std::make_shared<far_memory>(static_cast<std::size_t>(64 * all));
    window w{ranks(), static_cast<std::size_t>(64 * all * word), mine, "w"};
    EXPECT_EQ(w.memory(me), nullptr);
    for (int round = 0; round < 20; ++round) {
        std::vector<std::int64_t> values(64);
        for (int r = 0; r < all; ++r) {
            for (int i = 0; i < 64; ++i) values[static_cast<std::size_t>(i)] = 10000 * round + 1000 * me + 100 * r + i;
            w.put(r, {.offset = 64 * word * me, .bytes = word, .loops = {{32, 2 * word}}}, values.data(), {.bytes = 32 * word});
            std::vector<index_t> odd;
            for (int i = 0; i < 32; ++i) odd.push_back((64 * me + 2 * i + 1) * word);
            w.put(r, odd, word, values.data() + 32);
            std::vector<std::int64_t> got(2);
            w.get(r, {.offset = (64 * me + 62) * word, .bytes = 2 * word}, got.data(), {.bytes = 2 * word}); // what was put before
            EXPECT_EQ(got[0], values[31]);
            EXPECT_EQ(got[1], values[63]);
        }
        w.barrier();
        for (int r = 0; r < all; ++r)
            for (int i = 0; i < 64; ++i)
                ASSERT_EQ(mine->words[static_cast<std::size_t>(64 * r + i)],
                          10000 * round + 1000 * r + 100 * me + i / 2 + (i % 2 == 0 ? 0 : 32));
        w.barrier();
    }
}

TEST(WindowMemory, LongAccessesAreManyLetters) {
    int const me = ranks().rank(), right = (me + 1) % ranks().size();
    constexpr std::size_t count = 100000;
    auto const mine = std::make_shared<far_memory>(count);
    window w{ranks(), count * sizeof(std::int64_t), mine, "w"};
    std::vector<std::int64_t> values(count), got(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int64_t>(i) * 3 + me;
    index_t const all = static_cast<index_t>(count) * word;
    w.put(right, {.bytes = all}, values.data(), {.bytes = all});
    w.get(right, {.bytes = word, .loops = {{static_cast<index_t>(count) / 10, 10 * word}}}, got.data(), {.bytes = all / 10});
    for (std::size_t i = 0; i < count / 10; ++i) ASSERT_EQ(got[i], values[10 * i]);
    w.barrier();
    int const left = (me + ranks().size() - 1) % ranks().size();
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(mine->words[i], static_cast<std::int64_t>(i) * 3 + left);
    w.barrier();
}

TEST(WindowMemory, WhatWasPutIsThereBeforeAWordOfTheHostSaysSo) {
    int const me = ranks().rank(), right = (me + 1) % ranks().size();
    window says{ranks(), 8, "says"};
    auto const mine = std::make_shared<far_memory>(4096);
    window w{ranks(), 4096 * sizeof(std::int64_t), mine, "w"};
    std::vector<std::int64_t> values(4096, me + 1);
    w.put(right, {.bytes = 4096 * word}, values.data(), {.bytes = 4096 * word});
    says.word(right, 0, 8, word_operation::store, 1);
    says.await(me, 0, 8, word_relation::equal, 1);
    int const left = (me + ranks().size() - 1) % ranks().size();
    EXPECT_EQ(std::count(mine->words.begin(), mine->words.end(), left + 1), 4096);
    w.barrier();
}

TEST(WindowMemory, MemoryThatIsNotThereIsAnError) {
    int const me = ranks().rank();
    auto const mine = std::make_shared<far_memory>(8);
    mine->there = false;
    window w{ranks(), 64, mine, "w"};
    std::int64_t value = 1;
    for (int const r : {me, (me + 1) % ranks().size()})
        EXPECT_THAT(message([&] { return w.get(r, {.bytes = 8}, &value, {.bytes = 8}), 0; }),
                    HasSubstr("a get from window \"w\" finds no memory"));
    EXPECT_THAT(message([&] {
                    w.put((me + 1) % ranks().size(), {.bytes = 8}, &value, {.bytes = 8});
                    w.flush();
                    return 0;
                }),
                HasSubstr("a put to window \"w\" finds no memory"));
    ranks().barrier();
    mine->there = true;
    w.barrier();
    w.put((me + 1) % ranks().size(), {.bytes = 8}, &value, {.bytes = 8});
    w.barrier();
    EXPECT_EQ(mine->words[0], 1);
    w.barrier();
}

TEST(WindowMemory, HasNoWords) {
    window w{ranks(), 64, std::make_shared<far_memory>(8), "w"};
    EXPECT_THAT(message([&] { return w.word(0, 0, 8, word_operation::add, 1); }),
                HasSubstr("window \"w\" does not support operations on words"));
    w.barrier();
}

} // namespace
} // namespace sode::internal::testing
