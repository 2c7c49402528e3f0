// SPDX-License-Identifier: Apache-2.0
// Queues of an emulated device do their work in order, at some time and not at once; what waits, waits for nothing else.
#include "base/bootstraps.hpp"
#include "device/accelerator.hpp"
#include "device/copy_graph.hpp"
#include "layout/copy_arena.hpp"

#include <sode/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

class queue_test : public ::testing::Test {
protected:
    void finish(device_queue const& q) {
        while (q.done() != q.given()) sched_yield();
    }

    std::unique_ptr<bootstrap> alone_ = make_alone_bootstrap();
    std::unique_ptr<space> memory_ = make_space(*alone_, std::size_t{1} << 22);
    quarantine freed_{*memory_};
    std::unique_ptr<accelerator> device_ = open_device(wished_device("emulated", 0), device_terms{*memory_, freed_, 0, 0, {}});
    shared_word word_{0}, stop_{0};
};

TEST_F(queue_test, work_is_done_in_order_and_not_by_the_caller) {
    constexpr std::size_t bytes = 4096;
    std::vector<char> in(bytes, 'a'), out(bytes, '-');
    auto* const there = device_->memory().allocate(bytes);
    auto const q = device_->make_queue(queue_use::program);
    q->await(word_, 5, stop_);
    q->copy(there, reinterpret_cast<std::byte const*>(in.data()), bytes);
    q->copy(reinterpret_cast<std::byte*>(out.data()), there, bytes);
    for (word_ = 1; word_ < 5; ++word_) {
        EXPECT_EQ(q->done(), 0U) << "nothing behind a wait is done before it is over";
        EXPECT_EQ(out[0], '-');
    }
    finish(*q);
    EXPECT_EQ(in, out);
    EXPECT_EQ(q->given(), 3U);
    device_->memory().release(there, bytes);
}

TEST_F(queue_test, queues_of_plans_go_round) {
    auto const first = device_->make_queue(queue_use::plan), second = device_->make_queue(queue_use::plan);
    first->await(word_, 1, stop_); // set by the second, which shares its thread
    shared_word last{0};
    first->publish(last, 7, false, stop_);
    second->publish(word_, 1, true, stop_);
    finish(*first);
    EXPECT_EQ(last, 7U);
}

TEST_F(queue_test, a_queue_waits_for_what_another_one_had) {
    auto const first = device_->make_queue(queue_use::program), second = device_->make_queue(queue_use::program);
    std::atomic<int> order{0}, seen{-1};
    first->await(word_, 1, stop_);
    first->run([&] { order = 1; });
    second->await(*first);
    second->run([&] { seen = order.load(); });
    first->await(word_, 9, stop_); // not waited for
    word_ = 1;
    finish(*second);
    EXPECT_EQ(seen, 1);
    EXPECT_NE(first->done(), first->given());
    word_ = 9;
}

TEST_F(queue_test, what_is_stopped_waits_and_tells_no_more) {
    auto const q = device_->make_queue(queue_use::plan);
    shared_word told{0};
    q->await(word_, 1, stop_);
    q->publish(told, 1, false, stop_);
    stop_ = 1;
    finish(*q);
    EXPECT_EQ(told, 0U) << "what has not come must not be told of";
}

TEST_F(queue_test, a_kernel_that_throws_is_told_of_and_the_rest_is_done) {
    auto const q = device_->make_queue(queue_use::program);
    bool after = false;
    q->run([] { throw std::runtime_error{"no luck"}; });
    q->run([&] { after = true; });
    finish(*q);
    EXPECT_TRUE(after);
    EXPECT_EQ(q->failure(), "no luck");
}

// The kernel copies from closed pages as little as the host can, but says so instead of dying.
TEST_F(queue_test, memory_is_closed_when_the_last_step_is_said_to_be_done) {
    auto* const there = device_->memory().allocate(4096);
    auto const q = device_->make_queue(queue_use::program);
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    int open = 0;
    for (int round = 0; round < 2000; ++round) {
        q->run([&] { there[0] = std::byte{1}; });
        finish(*q);
        std::byte sink{};
        if (::write(ends[1], there, 1) == 1) open += static_cast<int>(::read(ends[0], &sink, 1));
    }
    EXPECT_EQ(open, 0) << "rounds in which the host could touch it";
    ::close(ends[0]);
    ::close(ends[1]);
    device_->memory().release(there, 4096);
}

TEST_F(queue_test, memory_is_given_back) {
    auto const wish = wished_device("emulated", std::size_t{1} << 16);
    auto const small = open_device(wish, device_terms{*memory_, freed_, 0, 0, {}});
    for (int i = 0; i < 100; ++i) {
        auto* const block = small->memory().allocate(60000);
        auto const q = small->make_queue(queue_use::plan);
        std::byte first{7};
        q->copy(&first, block, 1);
        finish(*q);
        EXPECT_EQ(first, std::byte{0}) << "it reads as zero";
        std::vector<std::byte> const ones(60000, std::byte{1});
        q->copy(block, ones.data(), ones.size());
        finish(*q);
        small->memory().release(block, 60000);
    }
}

// What a device is told of once, it copies as often as it is told to, as programs do.
TEST_F(queue_test, graphs_copy_what_programs_do) {
    test::layout_generator g{20261126};
    auto const q = device_->make_queue(queue_use::plan);
    auto& graphs = dynamic_cast<graph_queue&>(*q);
    int boxes_seen = 0, with_planes = 0, with_several = 0, with_twins = 0;
    for (int c = 0; c < 600 && !HasFailure(); ++c) {
        auto const radices = g.radices(2000);
        auto const from = g.nest(radices, 4), to = g.nest(radices, 4);
        auto p = compile(from, to);
        auto const source = from.extent();
        auto target = to.extent();
        if (g.chance(30)) { // the same once more, behind it
            auto other = p;
            other.src_offset += 1, other.dst_offset += target.second - target.first;
            if (auto const both = fuse(p, other)) p = *both, target.second += target.second - target.first, ++with_twins;
        }
        test::copy_arena arena{{source.first, source.second + 1}, target};
        auto const boxes = boxes_of(p, arena.target(), arena.source(), 64);
        if (boxes.empty()) continue;
        ++boxes_seen;
        with_planes += boxes.front().planes > 1 ? 1 : 0, with_several += boxes.size() > 1 ? 1 : 0;
        for (auto const& b : boxes) EXPECT_TRUE(b.fits());
        arena.clear();
        run_reference(p, arena.target(), arena.source());
        auto const wanted = arena.bytes();
        auto const graph = graphs.make_graph(boxes);
        for (int again = 0; again < 2; ++again) {
            arena.clear();
            graphs.launch(graph);
            finish(*q);
            EXPECT_TRUE(arena.bytes() == wanted) << "case " << c;
        }
    }
    EXPECT_GT(boxes_seen, 200);
    EXPECT_GT(with_planes, 20);
    EXPECT_GT(with_several, 20);
    EXPECT_GT(with_twins, 20);
}

TEST_F(queue_test, a_graph_refuses_rows_that_overlap) {
    auto const q = device_->make_queue(queue_use::plan);
    std::vector<std::byte> bytes(64);
    copy_box box{.target = bytes.data(), .source = bytes.data() + 32, .row_bytes = 8, .rows = 2, .to = {4, 2}, .from = {8, 2}};
    EXPECT_THROW(static_cast<void>(dynamic_cast<graph_queue&>(*q).make_graph({&box, 1})), error);
}

} // namespace
} // namespace sode::internal::testing
