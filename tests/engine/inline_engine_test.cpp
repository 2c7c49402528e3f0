// SPDX-License-Identifier: Apache-2.0
// The engine on plans made by hand, in one process: meaning of descriptors, order, and the number of steps.
#include "engine/combine.hpp"

#include "engine/one_rank.hpp"
#include "layout/copy_list.hpp"
#include "plan/builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace sode::internal {
namespace {

class inline_engine_test : public ::testing::Test, protected testing::one_rank {
protected:
    inline_engine_test() : one_rank(4096) {}

    static counter own(std::uint32_t index, counter_kind kind = counter_kind::flag, std::int64_t step = 1) {
        return {.host = 0, .writer = 0, .index = index, .kind = kind, .step = step};
    }
    static buffer whole() { return {.host = 0, .role = buffer_role::array, .bytes = 4096}; }
    static copy_program bytes(index_t n) { return compile(contiguous(0, n), contiguous(0, n)); }
    [[nodiscard]] std::string text(std::size_t at, std::size_t n) const { return {reinterpret_cast<char const*>(array_) + at, n}; }
    void write(std::size_t at, std::string_view s) { std::memcpy(array_ + at, s.data(), s.size()); }
};

TEST_F(inline_engine_test, streams_run_in_order_and_wait_for_counters) {
    plan_builder b{"two streams", 0, 1};
    b.target().own_lines = 1;
    auto const first = b.add_stream(-1), second = b.add_stream(-1);
    auto const memory = b.add(whole());
    // The first stream waits for the second: the engine must go round.
    auto& late = b.copy(first, operation::copy, memory, memory, bytes(4));
    late.trigger = b.add(own(0));
    late.src_offset = 100;
    late.dst_offset = 200;
    auto& early = b.copy(second, operation::copy, memory, memory, bytes(4));
    early.dst_offset = 100;
    early.signal = b.add(own(0));
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1}};
    for (std::string word : {"abcd", "efgh"}) {
        write(0, word);
        run.start();
        run.wait();
        EXPECT_EQ(text(200, 4), word);
    }
    EXPECT_EQ(run.executed(), 2U * 4U) << "two copies and two ends an epoch, once each";
    EXPECT_EQ(run.epochs(), 2U);
}

TEST_F(inline_engine_test, more_streams_than_16_bits_count) {
    constexpr std::size_t streams = 70'000;
    std::vector<std::byte> bytes_of_all(2 * streams);
    plan_builder b{"many streams", 0, 1};
    auto const memory = b.add(buffer{.host = 0, .role = buffer_role::array, .bytes = 2 * streams});
    for (std::size_t s = 0; s < streams; ++s) {
        auto& d = b.copy(b.add_stream(-1), operation::copy, memory, memory, bytes(1));
        d.src_offset = static_cast<std::int64_t>(s);
        d.dst_offset = static_cast<std::int64_t>(streams + s);
    }
    bound_array const arrays[] = {{{bytes_of_all.data(), nullptr}, false}};
    prepared run{b.finish(), around(), {.arrays = arrays, .fingerprint = 1}};
    for (unsigned salt : {1U, 77U}) {
        for (std::size_t s = 0; s < streams; ++s) bytes_of_all[s] = static_cast<std::byte>(s * 31 + s / 251 + salt);
        run.start();
        run.wait();
        EXPECT_TRUE(std::equal(bytes_of_all.begin(), bytes_of_all.begin() + streams, bytes_of_all.begin() + streams));
    }
    EXPECT_EQ(run.executed(), 2 * 2 * streams);
}

TEST_F(inline_engine_test, test_does_not_wait_and_executes_nothing_twice) {
    plan_builder b{"blocked", 0, 1};
    b.target().own_lines = 1;
    auto const s = b.add_stream(-1);
    auto const memory = b.add(whole());
    b.copy(s, operation::copy, memory, memory, bytes(1)).dst_offset = 8;
    b.emit(s, operation::wait).trigger = b.add(own(0));
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1}};
    run.start();
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(run.test());
    EXPECT_EQ(run.executed(), 1U);
    EXPECT_THROW(run.start(), error);
    run.places().counter(1, 0)->store(1);
    EXPECT_TRUE(run.test());
    EXPECT_EQ(run.executed(), 3U);
    run.wait();
}

TEST_F(inline_engine_test, loops_shift_offsets_thresholds_and_values) {
    constexpr int chunks = 5;
    plan_builder b{"chunks", 0, 1};
    b.target().own_lines = 1;
    auto const producer = b.add_stream(-1), consumer = b.add_stream(-1);
    auto const memory = b.add(whole());
    auto const progress = b.add(own(0, counter_kind::flag, chunks));
    b.emit(producer, operation::loop).argument = chunks;
    auto& step = b.copy(producer, operation::copy, memory, memory, bytes(4));
    step.dst_offset = 100;
    step.signal = progress;
    step.value = 1 - chunks;
    step.strides = b.add(loop_strides{.src = {4}, .dst = {4}, .value = 1});
    b.emit(producer, operation::end_loop);
    b.emit(consumer, operation::loop).argument = chunks;
    auto& take = b.copy(consumer, operation::copy, memory, memory, bytes(4));
    take.src_offset = 100;
    take.dst_offset = 200 + 4 * (chunks - 1);
    take.trigger = progress;
    take.threshold = 1 - chunks;
    take.strides = b.add(loop_strides{.src = {4}, .dst = {-4}, .threshold = 1}); // back to front
    b.emit(consumer, operation::end_loop);
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1}};
    for (int e = 0; e < 3; ++e) {
        write(0, e % 2 ? "aaaabbbbccccddddeeee" : "11112222333344445555");
        run.start();
        run.wait();
        EXPECT_EQ(text(200, 20), e % 2 ? "eeeeddddccccbbbbaaaa" : "55554444333322221111");
    }
    EXPECT_EQ(run.executed(), 3U * 2U * (1 + 2 * chunks + 1));
}

TEST_F(inline_engine_test, sums_add_up_and_reduce_combines) {
    plan_builder b{"sum", 0, 1};
    b.target().own_lines = 1;
    auto const s = b.add_stream(-1), t = b.add_stream(-1);
    auto const memory = b.add(whole());
    auto const total = b.add(own(0, counter_kind::sum, 2));
    for (int k = 0; k < 2; ++k) {
        auto& d = b.emit(s, operation::signal);
        d.signal = total;
        d.value = 1;
    }
    auto& d = b.copy(t, operation::reduce, memory, memory, bytes(16));
    d.trigger = total;
    d.dst_offset = 64;
    d.argument = combiner(reduction::max, element::f64);
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared run{p, around(), {.arrays = arrays, .fingerprint = 1}};
    double const mine[] = {1.5, -3}, best[] = {1.25, 7};
    std::memcpy(array_, mine, sizeof mine);
    std::memcpy(array_ + 64, best, sizeof best);
    for (int e = 0; e < 2; ++e) {
        run.start();
        run.wait();
    }
    double result[2];
    std::memcpy(result, array_ + 64, sizeof result);
    EXPECT_EQ(result[0], 1.5);
    EXPECT_EQ(result[1], 7);
}

// Rows that are combined, in every form that a program has: a nest, a nest with a twin, lists of either kind.
TEST_F(inline_engine_test, reduce_goes_over_rows) {
    layout const strided{.offset = 8, .block = 4, .loops = {{2, 32}, {3, 8}}, .list = {}};
    layout const below{.offset = 12, .block = 4, .loops = {{2, 32}, {3, 8}}, .list = {}};
    auto const one = compile(contiguous(0, 24), strided), other = compile(contiguous(24, 24), below);
    auto const both = fuse(one, other);
    ASSERT_TRUE(both);
    layout scattered;
    scattered.list = {{4, 8}, {20, 4}, {40, 12}};
    copy_program compact = list_program({}, 40); // once taken for one row of four bytes
    compact.block = compact.place_step = 4;
    std::vector<std::int32_t> places;
    for (std::int32_t i = 0; i < 10; ++i) places.push_back(12 * (i * 7 % 10));
    compact.set_table(copy_encoding::scatter, places);
    for (auto const& program : {one, *both, compile(contiguous(0, 24), scattered), compact}) {
        std::array<std::int32_t, 32> target{}, source{}, moved{};
        for (std::size_t i = 0; i < 32; ++i) target[i] = moved[i] = static_cast<int>(i), source[i] = 1000 * static_cast<int>(i + 1);
        auto const bytes_of = [](auto& a) { return reinterpret_cast<std::byte*>(a.data()); };
        run_reference(program, bytes_of(moved), bytes_of(source));
        run(combining(combiner(reduction::sum, element::i32)), program, bytes_of(target), bytes_of(target), bytes_of(source));
        for (int i = 0; i < 32; ++i) {
            auto const k = static_cast<std::size_t>(i);
            EXPECT_EQ(target[k], moved[k] == i ? i : i + moved[k]) << i;
        }
    }
}

TEST_F(inline_engine_test, a_wait_that_lasts_too_long_is_an_error) {
    plan_builder b{"never", 0, 1};
    b.target().own_lines = 1;
    b.emit(b.add_stream(-1), operation::wait).trigger = b.add(own(0));
    auto const p = b.finish();
    waiting_.timeout_s = 0.05;
    prepared run{p, around(), {.fingerprint = 1}};
    run.start();
    try {
        run.wait();
        FAIL() << "no error";
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::timeout);
        EXPECT_NE(std::string{e.what()}.find("never"), std::string::npos) << e.what();
    }
}

TEST_F(inline_engine_test, halves_must_alternate_where_credits_were_left_out) {
    plan_builder b{"flip", 0, 1};
    b.target().groups = 2;
    b.target().alternates = true;
    static_cast<void>(b.add_stream(-1));
    auto const p = b.finish();
    int halves[] = {1, 0};
    prepared run{p, around(), {.fingerprint = 1, .halves = {&halves[0], &halves[1]}}};
    run.start();
    run.wait();
    halves[0] = 0, halves[1] = 1;
    run.start();
    run.wait();
    halves[0] = 1;
    EXPECT_THROW(run.start(), error) << "group 1 stayed";
}

} // namespace
} // namespace sode::internal
