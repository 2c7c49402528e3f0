// SPDX-License-Identifier: Apache-2.0
// What stands beside an engine holds for any: deadlines, deaths, misuse, what is told and counted. Each is shown with the engine of
// the caller's own time, with one that works elsewhere as a test can have it, and with a thread.
#include "engine/prepared_list.hpp"
#include "engine/thread_engines.hpp"
#include "engine/triggered_engines.hpp"
#include "support/late_engine.hpp"
#include "support/message.hpp"

#include "base/thread_team.hpp"
#include "engine/executors.hpp"
#include "engine/one_rank.hpp"
#include "plan/builder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <thread>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

enum class by { caller, late, thread, triggered };

class Prepared : public ::testing::TestWithParam<by>, protected one_rank {
protected:
    Prepared() : one_rank(256) {
        if (GetParam() == by::thread) thread_ = std::make_unique<thread_engines>(waiting_, std::nullopt);
        if (GetParam() == by::triggered)
            thread_ = std::make_unique<triggered_engines>(waiting_, 2, std::span<processor_set const>{});
        arrays_[0].instance[0] = array_;
    }

    context around() { return {ranks_, *memory_, freed_, alive_, waiting_, nullptr, nullptr, &ended_, kind()}; }
    engine_kind const* kind() const {
        if (GetParam() == by::late) return &late_;
        return thread_.get();
    }
    static int if_late(int n) { return GetParam() == by::late ? n : 0; }
    // Waits for a flag that rank 1 should raise, and copies a byte then.
    static plan waits(std::string name = "what waits") {
        plan_builder b{std::move(name), 0, 1};
        b.target().own_lines = 1;
        auto const memory = b.add(buffer{.host = 0, .role = buffer_role::array, .bytes = 256});
        auto const s = b.add_stream(1);
        auto& flag = b.emit(s, operation::wait);
        flag.trigger = b.add(counter{.host = 0, .writer = 0, .index = 0}); // in this process, though rank 1 is waited for
        flag.peer = 1;
        b.copy(s, operation::copy, memory, memory, compile(contiguous(0, 1), contiguous(0, 1))).dst_offset = 8;
        return b.finish();
    }
    static plan calls() {
        plan_builder b{"what calls", 0, 1};
        auto const memory = b.add(buffer{.host = 0, .role = buffer_role::array, .bytes = 256});
        auto& d = b.emit(b.add_stream(-1), operation::call);
        d.dst = memory;
        auto p = b.finish();
        p.calls.resize(1);
        return p;
    }
    std::unique_ptr<prepared> make(plan p, std::vector<plan_calls::function> functions = {}) {
        return std::make_unique<prepared>(std::move(p), around(),
                                          plan_terms{.arrays = arrays_, .fingerprint = 1, .calls = std::move(functions)});
    }
    void let_in(prepared& run) { run.places().counter(1, 0)->store(run.epochs()); }
    [[nodiscard]] bool arrived() const { return array_[8] == array_[0]; }
    void next_byte() { array_[0] = static_cast<std::byte>(static_cast<int>(array_[0]) + 1); }

    late_engines late_;
    std::unique_ptr<engine_kind> thread_;
    bool ended_ = false;
    bound_array arrays_[1];
};

std::string name_of(::testing::TestParamInfo<by> const& which) {
    constexpr char const* names[] = {"caller", "late", "thread", "triggered"};
    return names[static_cast<std::size_t>(which.param)];
}

INSTANTIATE_TEST_SUITE_P(Engines, Prepared, ::testing::Values(by::caller, by::late, by::thread, by::triggered), name_of);

TEST_P(Prepared, RunsEpochsAndCountsThem) {
    auto const run = make(waits());
    for (int epoch = 1; epoch <= 3; ++epoch) {
        next_byte();
        run->start();
        for (int i = 0; i < 5; ++i) EXPECT_FALSE(run->test());
        EXPECT_FALSE(arrived());
        let_in(*run);
        run->wait();
        EXPECT_TRUE(arrived());
        EXPECT_FALSE(run->running());
    }
    EXPECT_EQ(run->epochs(), 3U);
    EXPECT_EQ(run->executed(), 3U * 3U) << "wait, copy, end: each once an epoch, whoever does it";
    EXPECT_EQ(late_.started, if_late(3));
}

TEST_P(Prepared, MisuseIsFoundForAnyEngine) {
    auto const run = make(waits());
    auto const unstarted = AllOf(HasSubstr("what waits was waited for without a start"), HasSubstr("call start()"));
    EXPECT_THAT(message([&] { return run->wait(), 0; }), unstarted);
    run->start();
    EXPECT_THAT(message([&] { return run->start(), 0; }), HasSubstr("what waits was started twice"));
    let_in(*run);
    run->wait();
    EXPECT_THAT(message([&] { return run->wait(), 0; }), unstarted);
    run->start();
    let_in(*run);
    while (!run->test()) {
    }
    EXPECT_TRUE(run->test()) << "it is over, and stays so";
    run->wait();
    run->start();
    ended_ = true;
    auto const gone = HasSubstr("what waits was used after its runtime had been destroyed");
    EXPECT_THAT(message([&] { return run->wait(), 0; }), gone);
    EXPECT_THAT(message([&] { return run->test(); }), gone);
    EXPECT_THAT(message([&] { return run->start(), 0; }), gone);
    EXPECT_EQ(run->epochs(), 3U);
} // and is not waited for, as nobody could come

TEST_P(Prepared, DestroyingWaits) {
    auto run = make(waits());
    next_byte();
    run->start();
    peers_.asked = [&, &waited_for = *run] { let_in(waited_for); };
    run.reset();
    EXPECT_TRUE(arrived());
    EXPECT_EQ(late_.abandoned, 0);
}

TEST_P(Prepared, ADeadlineEndsTheWaitAndTheEngine) {
    waiting_.timeout_s = 0.02;
    {
        auto const run = make(waits());
        run->start();
        EXPECT_THAT(message([&] { return run->wait(), 0; }, error_kind::timeout),
                    AllOf(HasSubstr("for rank 1 in epoch 1 of what waits"), HasSubstr("SODE_TIMEOUT")));
        EXPECT_TRUE(run->gave_up());
        EXPECT_FALSE(run->running());
    }
    EXPECT_EQ(late_.abandoned, if_late(1)) << "and is not waited for once more";
}

TEST_P(Prepared, ARankThatHasLeftIsNamed) {
    peers_.left = "killed by signal 9";
    auto const run = make(waits());
    run->start();
    EXPECT_THAT(message([&] { return run->wait(), 0; }, error_kind::peer),
                AllOf(HasSubstr("rank 1 has terminated: killed by signal 9"), HasSubstr("in epoch 1 of what waits")));
}

// Several ranks add to a sum; a plan does not say which.
plan waits_for_a_sum(int rank) {
    plan_builder b{"what is counted", rank, 2};
    if (rank == 0) {
        b.target().own_lines = 1;
        b.emit(b.add_stream(-1), operation::wait).trigger =
            b.add(counter{.host = 0, .writer = -1, .index = 0, .kind = counter_kind::sum, .step = 1});
    }
    return b.finish();
}

// Rank 1 never adds to it, and leaves at once or when rank 0 has given up.
template <class F> void with_a_late_rank(bool leaves, double timeout_s, F f) {
    std::atomic<bool> over{false};
    run_as_threads(2, [&](std::unique_ptr<bootstrap> boot) {
        auto const memory = make_space(*boot, std::size_t{1} << 22);
        team ranks{*boot, *memory, boot->machines()};
        quarantine freed{*memory};
        liveness alive{*boot, *memory};
        wait_policy waiting;
        waiting.spins = 0;
        waiting.timeout_s = timeout_s;
        prepared run{waits_for_a_sum(boot->rank()), {ranks, *memory, freed, alive, waiting}, {.fingerprint = 1}};
        if (boot->rank() == 1) {
            while (!leaves && !over) std::this_thread::yield();
            return;
        }
        run.start();
        f(run);
        over = true;
    });
}

TEST(Sums, ARankThatHasLeftIsNamed) {
    with_a_late_rank(true, 20, [](prepared& run) {
        EXPECT_THAT(
            message([&] { return run.wait(), 0; }, error_kind::peer),
            AllOf(HasSubstr("rank 1 has terminated"), HasSubstr("this rank waited for that rank in epoch 1 of what is counted")));
    });
}

TEST(Sums, ADeadlineNamesNoRankThatThereIsNot) {
    with_a_late_rank(false, 0.02, [](prepared& run) {
        EXPECT_THAT(message([&] { return run.wait(), 0; }, error_kind::timeout),
                    AllOf(HasSubstr("for other ranks in epoch 1 of what is counted"), HasSubstr("check what the other ranks do")));
    });
}

TEST_P(Prepared, WhatALateRankHasDoneBeforeItLeftCounts) {
    auto const run = make(waits());
    next_byte();
    run->start();
    peers_.asked = [&] {
        let_in(*run);
        peers_.left = "exited with status 0";
    };
    EXPECT_NO_THROW(run->wait());
    EXPECT_TRUE(arrived());
}

TEST_P(Prepared, SaysWhoRunsIt) {
    auto const text = make(waits())->explain();
    EXPECT_THAT(text, HasSubstr("what waits: rank 0 of 1"));
    if (kind())
        EXPECT_THAT(text, HasSubstr(fmt::format("  engine: {}\n", kind()->name())));
    else
        EXPECT_EQ(text.find("engine"), std::string::npos) << text;
    late_.refuses = [](schedule const& p) {
        bool const calls = std::ranges::any_of(p.descriptors, [](descriptor const& d) { return d.op == operation::call; });
        return calls ? "it calls functions" : "";
    };
    auto const run = make(calls(), {[](std::byte* array) { *array = std::byte{7}; }});
    if (kind()) {
        auto const why = GetParam() == by::triggered ? "no stream can be a queue: descriptor 0 calls a function of the program"
                                                     : "it calls functions";
        EXPECT_THAT(run->explain(), HasSubstr(fmt::format("engine: inline ({} cannot: {}", kind()->name(), why)));
    }
    int const before = late_.started;
    run->start();
    run->wait();
    EXPECT_EQ(late_.started, before);
    EXPECT_EQ(array_[0], std::byte{7});
}

TEST_P(Prepared, WhatAFunctionThrowsComesWhenTheEpochIsOver) {
    auto const run = make(calls(), {[](std::byte*) { throw std::runtime_error{"no"}; }});
    run->start();
    EXPECT_THROW(run->wait(), std::runtime_error);
    EXPECT_FALSE(run->gave_up());
    run->start();
    EXPECT_THROW(while (!run->test()){}, std::runtime_error);
    EXPECT_NO_THROW(run->wait()) << "it was told";
}

// A stream that names an executor runs there or nowhere; one for the caller goes with the engine.
TEST_P(Prepared, AStreamRunsOnTheExecutorThatItNames) {
    auto const on = [](executor e) {
        auto p = waits("what claims");
        p.streams[0].runs_on = e;
        return p;
    };
    late_.refuses = [](schedule const& p) { return lacks_executor(p); };
    auto const refusal = [&](executor e) { return message([&] { return make(on(e)), 0; }, error_kind::usage); };
    for (executor const e :
         {executor{executor_kind::thread, 1}, {executor_kind::queue, 0}, {executor_kind::block, 0}, {executor_kind::proxy, 0}}) {
        if (e.kind == executor_kind::queue && GetParam() == by::triggered) continue;
        EXPECT_THAT(refusal(e),
                    AllOf(HasSubstr("no engine of this rank can run what claims (inline: its stream 0 is for " + describe(e) +
                                    ", of which there are none"),
                          HasSubstr("choose another engine with SODE_ENGINE, or plan the communication for the caller")));
    }
    executor const there = GetParam() == by::triggered ? executor{executor_kind::queue, 5} : executor{executor_kind::thread, 0};
    if (GetParam() != by::thread && GetParam() != by::triggered) return void(refusal(there));
    if (GetParam() == by::thread) {
        EXPECT_THAT(refusal({executor_kind::thread, 1}), HasSubstr("; thread: its stream 0 is for thread 1, of which there is 1)"));
    }
    auto run = make(on(there));
    run->start();
    next_byte();
    let_in(*run);
    run->wait();
    EXPECT_TRUE(arrived());
    EXPECT_THAT(run->explain(), HasSubstr(fmt::format("engine: {}\n", kind()->name())));
}

// As an MPI that fails, once, where a peer has died.
class failing_engines final : public engine_kind {
public:
    [[nodiscard]] std::string_view name() const noexcept override { return "failing"; }
    [[nodiscard]] std::string cannot_run(schedule const&, context const&) const override { return {}; }
    [[nodiscard]] std::unique_ptr<engine> make(engine_work const&) const override { return std::make_unique<one>(*this); }

    mutable int asked = 0;

private:
    class one final : public engine {
    public:
        explicit one(failing_engines const& all) : all_(all) {}
        progress start(std::uint64_t, std::span<std::uint64_t const>, std::span<std::uint8_t const>) override {
            return progress::idle;
        }
        progress proceed() override {
            if (++all_.asked > 1) return progress::idle;
            throw error{error_kind::peer, "MPI_Testsome failed", "a process has failed", "see the messages of the MPI library"};
        }
        progress catch_up() override { return progress::idle; }
        void abandon() noexcept override {}
        void rebound() override {}
        std::size_t standing(std::span<std::uint32_t>) const noexcept override { return 0; }
        [[nodiscard]] std::uint64_t executed() const noexcept override { return 0; }

    private:
        failing_engines const& all_;
    };
};

TEST_P(Prepared, WhatAnEngineThrowsEndsTheEpoch) {
    failing_engines const failing;
    waiting_.timeout_s = 20; // for a plan that would be waited for once more
    auto terms = around();
    terms.engines = &failing;
    {
        prepared run{waits(), terms, {.arrays = arrays_, .fingerprint = 1}};
        run.start();
        EXPECT_THAT(message([&] { return run.wait(), 0; }, error_kind::peer), HasSubstr("MPI_Testsome failed"));
        EXPECT_TRUE(run.gave_up());
        EXPECT_FALSE(run.running());
    }
    EXPECT_EQ(failing.asked, 1);
}

TEST_P(Prepared, AListStartsAllOrNone) {
    prepared_list list;
    list.add(make(calls(), {[](std::byte*) {}}));
    list.add(make(waits()));
    auto& second = list.last();
    list.start();
    EXPECT_THAT(message([&] { return list.start(), 0; }), HasSubstr("what calls was started twice"));
    while (list.front().under_way()) static_cast<void>(list.test());
    EXPECT_THAT(message([&] { return list.start(), 0; }), HasSubstr("what waits was started twice"));
    EXPECT_EQ(list.front().epochs(), 1U) << "it was not started either";
    let_in(second);
    list.wait();
    EXPECT_EQ(list.epochs(), 1U);
    EXPECT_EQ(list.executed(), 2U + 3U);
    EXPECT_THAT(list.explain(), AllOf(HasSubstr("what calls: rank 0"), HasSubstr("what waits: rank 0")));
}

TEST_P(Prepared, AListIsWaitedForThoughAFunctionThrows) {
    prepared_list list;
    list.add(make(calls(), {[](std::byte*) { throw std::runtime_error{"no"}; }}));
    list.add(make(waits()));
    for (int twice = 0; twice < 2; ++twice) {
        next_byte();
        list.start();
        let_in(list.last());
        EXPECT_THROW(list.wait(), std::runtime_error);
        EXPECT_FALSE(list.running());
        EXPECT_TRUE(arrived());
    }
}

TEST_P(Prepared, AListGivesUpAsAWhole) {
    waiting_.timeout_s = 0.02;
    prepared_list list;
    list.add(make(waits("the first")));
    list.add(make(waits("the second")));
    list.start();
    EXPECT_THAT(message([&] { return list.wait(), 0; }, error_kind::timeout), HasSubstr("of the first"));
    EXPECT_FALSE(list.running());
    EXPECT_EQ(late_.abandoned, if_late(2));
}

} // namespace
} // namespace sode::internal::testing
