// SPDX-License-Identifier: Apache-2.0
// Network interfaces made of threads: arrivals alone let descriptors go, queues are windows of streams of any length, interfaces do
// not wait for each other, and chains are kept and run as the hardware has it.
#include "engine/triggered_engines.hpp"

#include "engine/one_rank.hpp"
#include "engine/triggered/chain_proof.hpp"
#include "engine/triggered/dma_channels.hpp"
#include "engine/triggered/network_interface.hpp"
#include "layout/copy_rows.hpp"
#include "layout/random_layout.hpp"
#include "plan/builder.hpp"
#include "support/cases.hpp"
#include "support/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

/// What is there now, while an interface may be writing it: a program learns of that by counters alone, so the race is the test's.
__attribute__((noinline, no_sanitize("thread"))) std::byte seen(std::byte const& at) {
    return *static_cast<std::byte const volatile*>(&at);
}

class triggered_engine_test : public ::testing::Test, protected one_rank {
protected:
    triggered_engine_test() : one_rank(1U << 16U), engines_(waiting_, 2, {}) {
        build_.target().own_lines = 4;
        memory_at_ = build_.add(buffer{.host = 0, .bytes = 1 << 16});
    }
    std::uint32_t flag(std::uint32_t line, std::int64_t step = 1) {
        return build_.add(counter{.host = 0, .writer = 0, .index = line, .step = step});
    }
    void copy(std::uint32_t stream, std::int64_t to, std::uint32_t trigger, std::int32_t threshold = 0) {
        auto& d = build_.copy(stream, operation::copy, memory_at_, memory_at_, compile(contiguous(0, 1), contiguous(0, 1)));
        d.dst_offset = to;
        d.trigger = trigger;
        d.threshold = threshold;
    }
    std::unique_ptr<prepared> make() {
        auto terms = around();
        terms.engines = &engines_;
        bound_array const arrays[] = {{{array_, nullptr}}};
        return std::make_unique<prepared>(build_.finish(), terms, plan_terms{.arrays = arrays, .fingerprint = 1});
    }
    /// Whether that byte becomes a copy of the first one, while nobody asks for progress.
    [[nodiscard]] bool comes(std::size_t at, bool soon = false) const {
        for (int ms = 0; ms < (soon ? 20 : 10000); ++ms) {
            if (seen(array_[at]) == array_[0]) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return false;
    }
    std::uint64_t total(std::uint64_t triggered_counts::*what) const { return engines_.counts(0).*what + engines_.counts(1).*what; }

    triggered_engines engines_;
    plan_builder build_{"what is triggered", 0, 1};
    std::uint32_t memory_at_ = 0;
};

TEST_F(triggered_engine_test, arrivals_alone_let_descriptors_go) {
    auto const s = build_.add_stream(-1, {executor_kind::queue, 0});
    for (int i = 1; i <= 3; ++i) copy(s, i, flag(0, 3), i - 3);
    auto const run = make();
    array_[0] = std::byte{7};
    run->start();
    EXPECT_FALSE(comes(1, true));
    auto const before = total(&triggered_counts::issued);
    run->places().counter(1, 0)->store(2); // both arrivals at once
    EXPECT_TRUE(comes(1));
    EXPECT_TRUE(comes(2));
    EXPECT_FALSE(comes(3, true));
    EXPECT_EQ(total(&triggered_counts::issued) - before, 2U);
    run->places().counter(1, 0)->store(3);
    EXPECT_TRUE(comes(3)) << "nobody has asked for progress";
    run->wait();
    EXPECT_EQ(total(&triggered_counts::branches), 0U);
    EXPECT_EQ(run->executed(), 4U);
}

TEST_F(triggered_engine_test, each_change_of_the_counter_takes_a_branch_packet) {
    auto const s = build_.add_stream(-1);
    copy(s, 1, flag(0));
    copy(s, 2, flag(1));
    copy(s, 3, flag(0));
    auto const run = make();
    EXPECT_THAT(run->explain(), HasSubstr("stream 0: a branch packet before 2 descriptors (\"one counter\": descriptor 1 waits for "
                                          "counter 2, those before it for counter 1)"));
    array_[0] = std::byte{9};
    run->start();
    run->places().counter(2, 0)->store(1); // the second one first
    EXPECT_FALSE(comes(2, true)) << "it is behind the first";
    run->places().counter(1, 0)->store(1);
    run->wait();
    EXPECT_EQ(array_[3], array_[0]);
    EXPECT_EQ(total(&triggered_counts::branches), 2U);
}

TEST_F(triggered_engine_test, interfaces_do_not_wait_for_each_other) {
    auto const first = build_.add_stream(-1), second = build_.add_stream(-1);
    build_.wish_nic(second, 1);
    copy(first, 1, flag(0));
    copy(second, 2, 0);
    auto const run = make();
    array_[0] = std::byte{5};
    run->start();
    EXPECT_TRUE(comes(2));
    EXPECT_EQ(engines_.counts(1).issued, 2U) << "the copy, and the end";
    EXPECT_EQ(engines_.counts(0).issued, 0U);
    run->places().counter(1, 0)->store(1);
    run->wait();
}

TEST_F(triggered_engine_test, a_long_stream_goes_through_a_window) {
    constexpr std::uint32_t times = 30000;
    auto const s = build_.add_stream(-1);
    auto const by = build_.add(loop_strides{.dst = {.bytes = 1}, .value = 1});
    build_.emit(s, operation::loop).argument = times;
    auto& d = build_.copy(s, operation::copy, memory_at_, memory_at_, compile(contiguous(0, 1), contiguous(0, 1)));
    d.dst_offset = 1;
    d.strides = by;
    d.signal = flag(0, times);
    d.value = 1 - static_cast<std::int32_t>(times);
    build_.emit(s, operation::end_loop);
    auto const run = make();
    for (int epoch = 1; epoch <= 3; ++epoch) {
        array_[0] = static_cast<std::byte>(epoch);
        auto const before = total(&triggered_counts::refills);
        run->start();
        run->wait();
        for (std::size_t i = 1; i <= times; ++i) ASSERT_EQ(array_[i], array_[0]) << i;
        EXPECT_EQ(run->places().counter(1, 0)->load(), static_cast<std::uint64_t>(epoch) * times);
        EXPECT_GE(total(&triggered_counts::refills) - before, times / session_queue::window);
    }
    EXPECT_LT(sizeof(session_queue), 4096U) << "however long its stream";
}

TEST_F(triggered_engine_test, a_stream_for_a_queue_that_is_none_is_refused_by_name) {
    auto const s = build_.add_stream(-1, {executor_kind::queue, 3});
    copy(s, 1, flag(0, 2), 0);
    copy(s, 2, flag(0, 2), -1);
    EXPECT_THAT(message([&] { return make(), 0; }, error_kind::usage),
                HasSubstr("its stream 0 is for queue 3 and breaks the rule \"rising thresholds\": descriptor 1 waits for -1 of "
                          "counter 1, one before it for 0"));
}

// Puts are chains: the queue goes on, and the signal comes when all is there.
TEST_F(triggered_engine_test, a_put_is_a_chain_and_tells_when_it_is_there) {
    auto const s = build_.add_stream(-1);
    layout source, target;
    source.block = target.block = 24;
    source.loops = {{.count = 10, .stride = 100}};
    target.offset = 20000;
    target.loops = {{.count = 10, .stride = 100}};
    auto& d = build_.copy(s, operation::put, memory_at_, memory_at_, compile(source, target), 0);
    d.signal = flag(0);
    build_.emit(s, operation::wait).trigger = flag(0);
    copy(s, 40000, 0);
    auto const run = make();
    std::mt19937 random{1};
    for (int epoch = 1; epoch <= 3; ++epoch) {
        for (std::size_t i = 0; i < 2000; ++i) array_[i] = static_cast<std::byte>(random());
        run->start();
        run->wait();
        for (std::size_t row = 0; row < 10; ++row)
            EXPECT_EQ(std::memcmp(array_ + 100 * row, array_ + 20000 + 100 * row, 24), 0) << row;
        EXPECT_EQ(array_[40000], array_[0]);
    }
    EXPECT_EQ(total(&triggered_counts::chains), 3U);
}

TEST(chains, are_as_short_as_equal_rows_allow) {
    layout rows;
    rows.block = 8;
    rows.loops = {{.count = 3, .stride = 1000}, {.count = 5, .stride = 16}};
    auto const chain = chain_of(compile(rows, rows));
    ASSERT_EQ(chain.size(), 3U);
    EXPECT_EQ(chain[1].source, 1000);
    EXPECT_EQ(chain[1].size, 40);
    EXPECT_EQ(chain[1].burst, 8);
    EXPECT_EQ(chain[1].gap, 8);
    auto other = rows;
    other.loops[1].stride = 24; // what lies apart differently has no gap
    EXPECT_EQ(chain_of(compile(rows, other)).size(), 15U);
    EXPECT_EQ(chain_of(compile(contiguous(0, 4096), contiguous(64, 4096))).size(), 1U);
}

TEST(chains, move_what_their_program_moves) {
    test::layout_generator random{3};
    constexpr index_t room = 40000, middle = room / 2;
    int const cases = random_cases(200);
    int in_bursts = 0;
    for (int n = 0; n < cases; ++n) {
        auto const radices = random.radices(500);
        auto const source = random.nest(radices, 3), target = random.nest(radices, 3);
        auto const fits = [](layout const& l) {
            auto const [first, last] = l.extent();
            return first > -middle && last < middle;
        };
        if (!fits(source) || !fits(target)) continue;
        auto const program = compile(source, target);
        std::vector<std::byte> from(room), expected(room), got(room);
        for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 / 8);
        run(program, expected.data() + middle, from.data() + middle);
        dma_channels channels;
        auto const chain = chain_of(program);
        for (auto const& d : chain) in_bursts += d.gap > 0;
        ready_descriptor const what{.target = got.data() + middle, .source = from.data() + middle};
        std::uint64_t under_way = 1;
        channels.start(5, {chain, what, &under_way});
        while (channels.go()) {
        }
        ASSERT_EQ(got, expected) << "case " << n;
        EXPECT_EQ(under_way, 0U);
    }
    EXPECT_GT(in_bursts, cases / 10);
}

// What an interface executes is proven against what verify() has proven: any mistake in any descriptor is found.
TEST(chains, every_mistake_is_found) {
    test::layout_generator random{7};
    int const cases = random_cases(100);
    std::size_t tried = 0;
    for (int n = 0; n < cases; ++n) {
        auto const radices = random.radices(60);
        auto const source = random.nest(radices, 3);
        auto const program = compile(source, n % 2 == 0 ? source : random.nest(radices, 3));
        auto const sound = chain_of(program);
        ASSERT_EQ(wrong_in_chain(program, sound), "") << "case " << n;
        auto const expect_found = [&](std::vector<dma_descriptor> const& chain, std::size_t i, char const* what) {
            ++tried;
            EXPECT_NE(wrong_in_chain(program, chain), "") << "case " << n << ", descriptor " << i << ": " << what;
        };
        for (std::size_t i = 0; i < sound.size(); ++i) {
            auto chain = sound;
            chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(i));
            expect_found(chain, i, "missing");
            chain = sound;
            chain.insert(chain.begin() + static_cast<std::ptrdiff_t>(i), sound[i]);
            expect_found(chain, i, "twice");
            std::pair<std::int64_t dma_descriptor::*, char const*> const fields[] = {{&dma_descriptor::source, "source"},
                                                                                     {&dma_descriptor::destination, "destination"},
                                                                                     {&dma_descriptor::size, "size"},
                                                                                     {&dma_descriptor::burst, "burst"},
                                                                                     {&dma_descriptor::gap, "gap"}};
            for (auto const& [field, name] : fields)
                for (std::int64_t const by : {-8, -1, 1, 8}) {
                    if (field == &dma_descriptor::gap && sound[i].size == sound[i].burst && by > 0)
                        continue; // there is only one burst
                    chain = sound;
                    chain[i].*field += by;
                    expect_found(chain, i, name);
                }
        }
    }
    EXPECT_GT(tried, 1000U);
}

TEST(chains, lie_in_the_interface_as_long_as_there_is_room) {
    chain_homes homes;
    std::vector<dma_descriptor> const steps(400, dma_descriptor{.size = 1, .burst = 1});
    auto a = homes.keep(steps), b = homes.keep(steps), c = homes.keep(steps);
    EXPECT_TRUE(a.internal && b.internal);
    EXPECT_FALSE(c.internal) << "there are 1,024";
    EXPECT_EQ(c.steps.size(), 400U);
    EXPECT_EQ(homes.internal_used(), 800U);
    homes.release(a);
    auto d = homes.keep(steps);
    EXPECT_TRUE(d.internal) << "where the first was";
    for (auto* one : {&b, &c, &d}) homes.release(*one);
    EXPECT_EQ(homes.internal_used(), 0U);
}

// A long chain holds up its own channel only.
TEST(channels, work_beside_each_other) {
    dma_channels channels;
    std::vector<std::byte> from(1 << 20, std::byte{1}), to(1 << 20);
    std::vector<dma_descriptor> const large{{.size = 1 << 20, .burst = 4096}}, small{{.size = 8, .burst = 8}};
    std::uint64_t first = 1, second = 1, third = 1;
    ready_descriptor const what{.target = to.data(), .source = from.data()};
    channels.start(0, {large, what, &first});
    channels.start(1, {small, what, &second});
    channels.start(4, {small, what, &third}); // behind the first
    EXPECT_TRUE(channels.go());
    EXPECT_EQ(second, 0U);
    EXPECT_EQ(first, 1U);
    EXPECT_EQ(third, 1U);
    channels.drop(&first);
    EXPECT_TRUE(channels.go());
    EXPECT_EQ(third, 0U);
    EXPECT_EQ(first, 1U) << "what is dropped is never over";
    EXPECT_FALSE(channels.go());
}

} // namespace
} // namespace sode::internal::testing
