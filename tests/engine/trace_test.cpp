// SPDX-License-Identifier: Apache-2.0
// What a traced engine says of plans made by hand, and that it executes what it would have executed anyway.
#include "engine/one_rank.hpp"
#include "plan/builder.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sode::internal {
namespace {

trace_event at(std::int64_t when) {
    return {.begin_ns = when, .end_ns = when + 1};
}

TEST(trace_log, keeps_the_last_events_and_counts_the_others) {
    trace_log log{4};
    for (int i = 0; i < 3; ++i) log.record(at(i));
    EXPECT_EQ(log.kept(), 3U);
    EXPECT_EQ(log.lost(), 0U);
    for (int i = 3; i < 11; ++i) log.record(at(i));
    EXPECT_EQ(log.kept(), 4U);
    EXPECT_EQ(log.lost(), 7U);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(log.event(i).begin_ns, static_cast<std::int64_t>(7 + i));
}

TEST(trace_log, gives_the_lowest_free_lane) {
    trace_log log{1};
    EXPECT_EQ(log.take_lane(), 0);
    EXPECT_EQ(log.take_lane(), 1);
    log.free_lane(0);
    EXPECT_EQ(log.take_lane(), 0);
    EXPECT_EQ(log.take_lane(), 2);
    for (int i = 3; i < 64; ++i) EXPECT_EQ(log.take_lane(), i);
    EXPECT_EQ(log.take_lane(), 63) << "more than that share the last";
}

class traced_engine_test : public ::testing::Test, protected testing::one_rank {
protected:
    traced_engine_test() : one_rank(4096) {}

    context traced() { return {ranks_, *memory_, freed_, alive_, waiting_, &log_}; }
    context untraced() { return around(); }
    static copy_program bytes(index_t n) { return compile(contiguous(0, n), contiguous(0, n)); }

    // A pack of two parts, a signal, and two pulls, the second after a flag that the test raises.
    static plan some_plan() {
        plan_builder b{"some", 0, 1};
        b.target().own_lines = 2;
        b.target().own_stage = 2 * 64;
        auto const array = b.add(buffer{.host = 0, .role = buffer_role::array, .bytes = 4096});
        auto const stage = b.add(buffer{.host = 0, .role = buffer_role::stage, .instances = parity::epoch, .bytes = 64});
        auto const mine = b.add(counter{.host = 0, .writer = 0, .index = 0});
        auto const theirs = b.add(counter{.host = 0, .writer = 0, .index = 1});
        auto const local = b.add_stream(-1), first = b.add_stream(1), second = b.add_stream(2);
        b.copy(local, operation::pack, stage, array, bytes(8));
        b.copy(local, operation::copy, stage, array, bytes(4));
        b.emit(local, operation::signal).signal = mine;
        b.copy(first, operation::copy, array, array, bytes(16), 1).dst_offset = 256;
        auto& flag = b.emit(second, operation::wait);
        flag.trigger = theirs;
        flag.peer = 2;
        b.copy(second, operation::unpack, array, stage, bytes(32), 2).dst_offset = 512;
        auto p = b.finish();
        p.notes.push_back(
            {.peer = 2, .direction = {1, 0}, .dims = 2, .rows = 4, .row_bytes = 8, .chosen = "stage", .runner_up = ""});
        p.notes.push_back(
            {.peer = 1, .direction = {-1, 0}, .dims = 2, .rows = 2, .row_bytes = 8, .chosen = "pull", .runner_up = ""});
        return p;
    }
    static void raise(prepared& run, std::uint64_t epoch) { run.places().counter(2, 0)->store(epoch, std::memory_order_release); }
    std::vector<std::string> names() {
        std::vector<std::string> list;
        for (std::size_t i = 0; i < log_.kept(); ++i)
            list.push_back(log_.event(i).kind == trace_kind::waiting ? "wait" : log_.subject(log_.event(i).subject).name);
        return list;
    }

    trace_log log_{1000};
};

TEST_F(traced_engine_test, work_and_waiting_lie_within_their_exchange_one_after_another) {
    auto const p = some_plan();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared engine{p, traced(), {.arrays = arrays, .fingerprint = 1}};
    constexpr int epochs = 3;
    for (std::uint64_t e = 1; e <= epochs; ++e) {
        peers_.asked = [&] { raise(engine, e); };
        engine.start();
        engine.wait();
    }
    ASSERT_EQ(log_.kept(), 5U * epochs);
    auto const list = names();
    for (std::size_t e = 0; e < epochs; ++e) {
        std::size_t const first = 5 * e;
        EXPECT_EQ((std::vector<std::string>{list.begin() + static_cast<std::ptrdiff_t>(first),
                                            list.begin() + static_cast<std::ptrdiff_t>(first + 5)}),
                  (std::vector<std::string>{"pack", "pull from rank 1", "wait", "unpack from rank 2", "some"}));
        auto const& whole = log_.event(first + 4);
        EXPECT_EQ(whole.kind, trace_kind::exchange);
        EXPECT_EQ(whole.epoch, e + 1);
        for (std::size_t i = first; i < first + 4; ++i) {
            auto const& one = log_.event(i);
            EXPECT_LE(i == first ? whole.begin_ns : log_.event(i - 1).end_ns, one.begin_ns);
            EXPECT_LE(one.begin_ns, one.end_ns);
            EXPECT_LE(one.end_ns, whole.end_ns);
            EXPECT_EQ(one.epoch, e + 1);
        }
        EXPECT_LT(log_.event(first + 2).begin_ns, log_.event(first + 2).end_ns) << "the peer was late";
        EXPECT_EQ(log_.event(first + 2).peer, 0) << "who raises the flag";
    }
    auto const& pulled = log_.subject(log_.event(1).subject);
    EXPECT_EQ(pulled.bytes, 16);
    ASSERT_EQ(pulled.edges.size(), 1U);
    EXPECT_EQ(pulled.edges[0].direction, "- .");
    EXPECT_EQ(pulled.edges[0].channel, "pull");
    EXPECT_EQ(log_.subject(log_.event(3).subject).edges.at(0).direction, "+ .");
    EXPECT_EQ(log_.subject(log_.event(4).subject).edges.size(), 2U);
}

TEST_F(traced_engine_test, executes_what_an_untraced_one_does) {
    auto const p = some_plan();
    bound_array const arrays[] = {{{array_, nullptr}}};
    std::uint64_t executed[2] = {};
    for (bool traces : {false, true}) {
        prepared engine{p, traces ? traced() : untraced(), {.arrays = arrays, .fingerprint = 1}};
        for (std::uint64_t e = 1; e <= 4; ++e) {
            raise(engine, e);
            engine.start();
            EXPECT_TRUE(engine.test());
        }
        executed[traces] = engine.executed();
    }
    EXPECT_EQ(executed[true], executed[false]);
    EXPECT_EQ(log_.kept(), 4U * 4U) << "nobody was late: no waiting";
}

TEST_F(traced_engine_test, exchanges_that_run_at_the_same_time_have_lanes) {
    auto const p = some_plan();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared first{p, traced(), {.arrays = arrays, .fingerprint = 1}}, second{p, traced(), {.arrays = arrays, .fingerprint = 1}};
    first.start();
    second.start();
    raise(first, 1);
    first.wait();
    raise(second, 1);
    second.wait();
    std::vector<int> lanes;
    for (std::size_t i = 0; i < log_.kept(); ++i)
        if (log_.event(i).kind == trace_kind::exchange) lanes.push_back(log_.event(i).lane);
    EXPECT_EQ(lanes, (std::vector<int>{0, 1}));
}

TEST_F(traced_engine_test, an_exchange_that_is_given_up_is_there_and_says_so) {
    auto const p = some_plan();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared engine{p, traced(), {.arrays = arrays, .fingerprint = 1}};
    waiting_.timeout_s = 0.05;
    engine.start();
    EXPECT_THROW(engine.wait(), error);
    ASSERT_GE(log_.kept(), 2U);
    EXPECT_EQ(log_.event(log_.kept() - 2).kind, trace_kind::failure);
    EXPECT_EQ(log_.event(log_.kept() - 1).kind, trace_kind::exchange);
}

TEST_F(traced_engine_test, the_iterations_of_loops_are_one_piece_of_work) {
    plan_builder b{"chunks", 0, 1};
    auto const s = b.add_stream(3);
    auto const array = b.add(buffer{.host = 0, .role = buffer_role::array, .bytes = 4096});
    b.emit(s, operation::loop).argument = 2;
    b.emit(s, operation::loop).argument = 3;
    auto& d = b.copy(s, operation::copy, array, array, bytes(4), 3);
    d.dst_offset = 100;
    auto const outer = b.add(loop_strides{.src = {12}, .dst = {12}});
    d.strides = b.add(loop_strides{.src = {4}, .dst = {4}, .outer = outer});
    b.emit(s, operation::end_loop);
    b.emit(s, operation::end_loop);
    auto const p = b.finish();
    bound_array const arrays[] = {{{array_, nullptr}}};
    prepared engine{p, traced(), {.arrays = arrays, .fingerprint = 1}};
    engine.start();
    ASSERT_FALSE(engine.running());
    EXPECT_EQ(names(), (std::vector<std::string>{"pull from rank 3", "chunks"}));
    EXPECT_EQ(log_.subject(log_.event(0).subject).bytes, 24);
}

} // namespace
} // namespace sode::internal
