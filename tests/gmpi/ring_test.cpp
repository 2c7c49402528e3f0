// SPDX-License-Identifier: Apache-2.0
// The ring and the requests between real threads: nothing is lost, doubled or out of order in rings of one entry and more, at laps'
// ends, with late writers and a host that stops; whoever waits in vain is told.
#include "gmpi/protocol_memory.hpp"
#include "support/number_of.hpp"

#include <sode/detail/gmpi/posting.hpp>
#include <sode/detail/gmpi/threads_platform.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

namespace sode::internal::testing {

namespace {

using namespace gmpi::detail;
using gmpi::code;
using gmpi::word;
using P = threads_platform;

constexpr P here;
constexpr word patient = 10'000'000'000, hasty = 20'000'000; // nanoseconds

entry letter(std::uint32_t from, word value) {
    return {.op = operation::send, .brief = value % 3 == 0, .peer = from, .tag = static_cast<std::uint32_t>(value), .bytes = value};
}

word all_messages() {
    return static_cast<word>(number_of("TEST_MESSAGES", 1'000'000));
}

/// Takes `count` entries; what each thread has sent must come in its order.
void take_all(ring const& r, std::uint32_t threads, word count) {
    ring_reader<P> from{here, r};
    std::array<entry, 32> batch;
    std::vector<word> next(threads, 0);
    std::uint32_t polls = 0;
    for (word taken = 0; taken < count;) {
        auto const n = from.take(batch.data(), batch.size());
        polls = n == 0 ? polls + 1 : 0;
        if (n == 0) P::pause(polls);
        for (std::uint32_t i = 0; i < n; ++i) {
            auto const& e = batch[i];
            ASSERT_LT(e.peer, threads);
            ASSERT_EQ(e.tag, next[e.peer]);
            ASSERT_TRUE(e.brief || e.bytes == next[e.peer]);
            ++next[e.peer];
        }
        taken += n;
    }
}

void push_all(protocol_memory const& memory, std::uint32_t threads, word each) {
    std::vector<std::jthread> all;
    for (std::uint32_t t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            poster<P> const post{here, memory.handle()};
            for (word i = 0; i < each; ++i) ASSERT_EQ(post.tell(letter(t, i)), code::ok);
        });
    take_all(memory.handle().rings[0], threads, each * threads);
}

} // namespace

TEST(GmpiRing, NothingIsLost) {
    constexpr std::uint32_t threads = 3;
    auto const messages = all_messages();
    // Small rings are full at once: each of their messages is a change of threads, and goes round the ring. Few of those show what
    // many would, and on a crowded machine each takes as long as all others' turns.
    word sent = 0;
    for (auto const& [entries, most] : {std::pair{1U, word{2000}}, std::pair{2U, word{3000}}, std::pair{4U, word{5000}},
                                        std::pair{64U, word{20000}}, std::pair{4096U, messages}}) {
        auto const each = (std::min(most, messages - sent) + threads - 1) / threads;
        protocol_memory const memory{entries, 1, 1, patient};
        push_all(memory, threads, each);
        sent += each * threads;
        if (sent >= messages) break;
    }
    EXPECT_GE(sent, messages);
}

TEST(GmpiRing, MoreThreadsThanEntries) {
    protocol_memory const memory{2, 1, 1, patient};
    push_all(memory, 24, all_messages() / 50'000);
}

TEST(GmpiRing, AnEntryOfZeros) {
    protocol_memory const memory{1, 1};
    poster<P> const post{here, memory.handle()};
    ring_reader<P> from{here, memory.handle().rings[0]};
    entry e;
    for (int lap = 0; lap < 5; ++lap) {
        ASSERT_EQ(from.take(&e, 1), 0U);
        ASSERT_EQ(post.tell({}), code::ok);
        e.tag = 1;
        ASSERT_EQ(from.take(&e, 1), 1U);
        ASSERT_EQ(e.op, operation::nothing);
        ASSERT_EQ(e.tag, 0U);
    }
}

// Brief entries move long ones to every place, so that they lie across the end of the ring; what earlier laps have left in a place
// must never look like what is to come.
TEST(GmpiRing, LongEntriesLieAcrossTheEnd) {
    protocol_memory const memory{2, 1};
    poster<P> const post{here, memory.handle()};
    ring_reader<P> from{here, memory.handle().rings[0]};
    entry e;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        for (bool const brief : {true, i % 7 < 3, false}) {
            entry const sent{.op = operation::put,
                             .brief = brief,
                             .communicator = 3,
                             .peer = 0xffffffff,
                             .request = ~i,
                             .tag = 0x7fffffff,
                             .address = brief ? 0 : ~word{0} >> 1,
                             .bytes = brief ? 0 : ~word{0} >> 1,
                             .offset = brief ? 0 : i + word{1},
                             .window = static_cast<std::uint16_t>(brief ? 0 : 0xffff),
                             .signal = brief ? 0 : 0xffffffff,
                             .value = brief ? 0 : i};
            ASSERT_EQ(post.tell(sent), code::ok);
            e = {};
            ASSERT_EQ(from.take(&e, 1), 1U);
            ASSERT_EQ(e.op, sent.op);
            ASSERT_EQ(e.brief, brief);
            ASSERT_EQ(e.communicator, sent.communicator);
            ASSERT_EQ(e.peer, sent.peer);
            ASSERT_EQ(e.request, sent.request);
            ASSERT_EQ(e.tag, sent.tag);
            ASSERT_EQ(e.address, sent.address);
            ASSERT_EQ(e.bytes, sent.bytes);
            ASSERT_EQ(e.offset, sent.offset);
            ASSERT_EQ(e.window, sent.window);
            ASSERT_EQ(e.signal, sent.signal);
            ASSERT_EQ(e.value, sent.value);
        }
        entry note{.op = operation::send, .bytes = i, .holds_data = true};
        for (std::uint32_t n = 0; n < short_words; ++n) note.data[n] = (i + n) % 3 == 0 ? ~word{i} : word{i} << 5 * n;
        ASSERT_EQ(post.tell(note), code::ok);
        e = {};
        ASSERT_EQ(from.take(&e, 1), 1U);
        ASSERT_TRUE(e.holds_data && e.bytes == i && std::equal(note.data, note.data + short_words, e.data)) << i;
    }
}

// Somebody has claimed and not written: those behind wait, and come then, in order.
TEST(GmpiRing, ALateWriterHoldsUpThoseBehind) {
    protocol_memory const memory{4, 1};
    ring_writer<P> const to{here, memory.handle().rings[0]};
    ring_reader<P> from{here, memory.handle().rings[0]};
    word early = 0, late = 0;
    ASSERT_EQ(to.claim(4, memory.handle().alarm, late), code::ok);
    ASSERT_EQ(to.claim(1, memory.handle().alarm, early), code::ok);
    to.write(early, {.brief = true, .tag = 2});
    std::array<entry, 4> found;
    EXPECT_EQ(from.take(found.data(), 4), 0U);
    to.write(late, {.tag = 1});
    ASSERT_EQ(from.take(found.data(), 4), 2U);
    EXPECT_EQ(found[0].tag, 1U);
    EXPECT_EQ(found[1].tag, 2U);
}

TEST(GmpiRing, AFullRingWithAStoppedHost) {
    protocol_memory const memory{2, 1, 1, patient};
    constexpr std::uint32_t threads = 4, each = 50;
    std::atomic<std::uint32_t> sent{0};
    std::vector<std::jthread> all;
    for (std::uint32_t t = 0; t < threads; ++t)
        all.emplace_back([&, t] {
            poster<P> const post{here, memory.handle()};
            for (word i = 0; i < each; ++i) {
                ASSERT_EQ(post.tell(letter(t, i)), code::ok);
                ++sent;
            }
        });
    while (sent < 2) std::this_thread::yield(); // 8 units: from here on mostly nobody gets on
    take_all(memory.handle().rings[0], threads, word{threads} * each);
}

TEST(GmpiRing, WhoTriesDoesNotWait) {
    protocol_memory const memory{1, 4};
    poster<P> const post{here, memory.handle()};
    auto const first = post.try_begin(letter(0, 1));
    ASSERT_EQ(first.begun, code::ok);
    EXPECT_EQ(post.try_begin(letter(0, 2)).begun, code::would_block);
    ring_reader<P> from{here, memory.handle().rings[0]};
    entry e;
    ASSERT_EQ(from.take(&e, 1), 1U);
    EXPECT_EQ(e.request, first.handle);
    for (int i = 0; i < 3; ++i) { // the slot of the one that would have blocked is free again
        ASSERT_EQ(post.try_begin(letter(0, 3)).begun, code::ok);
        ASSERT_EQ(from.take(&e, 1), 1U);
    }
    EXPECT_EQ(post.try_begin(letter(0, 4)).begun, code::would_block);
}

TEST(GmpiRequests, GenerationsGoRoundManyTimes) {
    protocol_memory const memory{4, 1};
    auto const& h = memory.handle();
    slot_table<P> const table{here, h.requests};
    gmpi::request first{0, code::ok};
    for (word i = 0; i < 3 * 4096 + 5; ++i) {
        gmpi::request r{0, code::ok};
        ASSERT_EQ(table.try_take(r.handle), code::ok);
        std::uint32_t none = 0;
        ASSERT_EQ(table.try_take(none), code::would_block);
        gmpi::status how;
        ASSERT_EQ(table.test(r, how), code::would_block) << "use " << i;
        if (i == 0) first = r;
        ASSERT_TRUE(i != 1 || table.test(first, how) == code::stale);
        complete(here, h.requests, r.handle, i % 5 == 0 ? code::truncated : code::ok, i);
        ASSERT_EQ(table.test(r, how), i % 5 == 0 ? code::truncated : code::ok);
        ASSERT_EQ(how.bytes, i);
        ASSERT_EQ(table.test(r, how), code::stale); // waited for twice
    }
}

// The thread that waits stores what came with the word, at any place, and nothing beside it.
TEST(GmpiRequests, ShortMessagesAreStoredByWhoWaits) {
    protocol_memory const memory{4, 2};
    auto const& h = memory.handle();
    poster<P> const post{here, h};
    for (word bytes = 1; bytes <= short_bytes; ++bytes)
        for (std::size_t at = 0; at < 9; ++at) {
            std::array<unsigned char, 64> got{}, sent{}, expected{};
            for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(200 + 7 * i + at);
            std::copy_n(sent.begin(), bytes, expected.begin() + static_cast<std::ptrdiff_t>(at));
            std::array<word, short_words> words{};
            gather_words(words.data(), sent.data(), bytes);
            auto const r = post.begin({.op = operation::receive, .address = reinterpret_cast<word>(got.data() + at)});
            deliver(here, h.requests, r.handle, code::ok, words.data(), bytes);
            gmpi::status how;
            ASSERT_EQ((slot_table<P>{here, h.requests}.test(r, how)), code::ok);
            ASSERT_EQ(how.bytes, bytes);
            ASSERT_EQ(got, expected) << bytes << " bytes at " << at;
            entry e;
            ASSERT_EQ((ring_reader<P>{here, h.rings[0]}.take(&e, 1)), 1U);
        }
}

TEST(GmpiRequests, WhoWaitsInVainIsTold) {
    protocol_memory const memory{4, 1, 1, hasty};
    auto const& h = memory.handle();
    auto const r = poster<P>{here, h}.begin(letter(0, 1));
    gmpi::status how;
    EXPECT_EQ(report_in(here, h.alarm).why, code::ok);
    EXPECT_EQ((slot_table<P>{here, h.requests}.wait(r, h.alarm, how)), code::timeout);
    auto const report = report_in(here, h.alarm);
    EXPECT_EQ(report.why, code::timeout);
    EXPECT_EQ(report.where, site::request);
    EXPECT_EQ(report.what, r.handle);
    // And so is everybody else, at once.
    EXPECT_EQ(await(here, h.alarm, site::signal, h.signals.words[0], 1), code::aborted);
    EXPECT_EQ((poster<P>{here, h}.begin(letter(0, 2)).begun), code::aborted);
    EXPECT_EQ(report_in(here, h.alarm).where, site::request) << "the first report stays";
}

TEST(GmpiRequests, NoRoomAndNoHost) {
    protocol_memory const memory{1, 8, 1, hasty};
    poster<P> const post{here, memory.handle()};
    ASSERT_EQ(post.begin(letter(0, 1)).begun, code::ok);
    EXPECT_EQ(post.begin(letter(0, 2)).begun, code::timeout);
    EXPECT_EQ(report_in(here, memory.handle().alarm).where, site::room_on_ring);
}

TEST(GmpiRequests, TheHostEndsAllWaits) {
    protocol_memory const memory{4, 2};
    auto const& h = memory.handle();
    std::array<code, 3> got{};
    {
        std::vector<std::jthread> all;
        all.emplace_back([&] {
            gmpi::status how;
            got[0] = slot_table<P>{here, h.requests}.wait(poster<P>{here, h}.begin(letter(0, 1)), h.alarm, how);
        });
        all.emplace_back([&] { got[1] = await(here, h.alarm, site::signal, h.signals.words[0], 1); });
        all.emplace_back([&] {
            while (true) // until there are no slots
                if (auto const r = poster<P>{here, h}.begin(letter(0, 2)); r.begun != code::ok) return void(got[2] = r.begun);
        });
        P::store_release<ordering::heed, scope::system>(*h.alarm.host, static_cast<word>(code::peer));
    }
    for (auto const c : got) EXPECT_EQ(c, code::peer);
}

// Threads of two devices send to each other through two hosts: each waits for the other's answer.
TEST(GmpiRing, TwoContextsCrosswise) {
    protocol_memory const left{1, 4, 1, patient}, right{1, 4, 1, patient};
    word const rounds = all_messages() / 5000;
    auto const device = [rounds](protocol_memory const& mine) {
        for (word i = 0; i < rounds; ++i) {
            gmpi::status how;
            auto const r = poster<P>{here, mine.handle()}.begin(letter(0, 3 * i));
            ASSERT_EQ((slot_table<P>{here, mine.handle().requests}.wait(r, mine.handle().alarm, how)), code::ok);
            ASSERT_EQ(how.bytes, i);
        }
    };
    std::array<std::atomic<word>, 2> heard{};
    auto const host = [&](protocol_memory const& mine, std::size_t self) { // answers what the other device has asked, too
        ring_reader<P> from{here, mine.handle().rings[0]};
        entry e;
        for (word i = 0; i < rounds; ++i) {
            std::uint32_t polls = 0;
            while (from.take(&e, 1) == 0) P::pause(++polls);
            heard[self].store(i + 1, std::memory_order_release);
            while (heard[1 - self].load(std::memory_order_acquire) <= i) P::pause(++polls);
            complete(here, mine.handle().requests, e.request, code::ok, i);
        }
    };
    std::jthread const hosts[] = {std::jthread{host, std::cref(left), 0}, std::jthread{host, std::cref(right), 1}};
    std::jthread const other{device, std::cref(left)};
    device(right);
}

} // namespace sode::internal::testing
