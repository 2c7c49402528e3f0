// SPDX-License-Identifier: Apache-2.0
// Everything that is planned runs on another kind of engine unchanged: the same bytes, and explain() says who runs it.
#include "engine/thread_engines.hpp"
#include "engine/triggered_engines.hpp"
#include "model/job.hpp"
#include "support/late_engine.hpp"
#include "support/message.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace sode::internal::testing {
namespace {

// What a few steps of everything leave behind on a rank. (What they cost depends on how things go, which two jobs may choose
// apart.)
using outcome = std::vector<double>;

template <class View, int N> void append(outcome& to, View const& view, box<N> const& part) {
    for (auto const& at : part) to.push_back(std::apply(view, at));
}

outcome run_everything(runtime& rt, char const* channel, std::string const& engine) {
    outcome result;
    auto const who = [&](std::string const& text) {
        if (engine.empty())
            EXPECT_EQ(text.find("engine: "), std::string::npos) << text;
        else
            EXPECT_NE(text.find("engine: " + engine + '\n'), std::string::npos) << text;
    };
    grid<2> const g{rt, {17, 23}};
    buffered<double, 2> u{g, shadow{2}, 0.0, "u"};
    array<double, 2> v{g, shadow{1}, 0.0, "v"};
    auto halo = reflect_init({.corners = true, .periodic = true, .channel = channel}, u, v);
    distribution<1> const rows{nodes<1>{rt, {any}}, {40}, {block}};
    array<double, 1> whole{rows, shadow{full}, 0.0, "whole"}, turned{rows, {}, 0.0, "turned"};
    auto fill = reflect_init(whole);
    auto shift = copy_init(turned, whole);
    double out = rt.rank(), in = -1;
    auto const number = datatype::contiguous(sizeof out);
    int const next = (rt.rank() + 1) % rt.size(), before = (rt.rank() + rt.size() - 1) % rt.size();
    auto ring = exchange_init(rt, {send_init(&out, number, next), recv_init(&in, number, before)});
    for (int step = 1; step <= 5; ++step, u.flip(), out += 10) {
        loop(g.all(), [a = u.now(), b = *v, step](auto i, auto j) {
            a(i, j) = static_cast<double>(100 * step + 23 * i + j), b(i, j) = static_cast<double>(i - j * step);
        });
        loop(whole.all(), [w = *whole, step](auto i) { w(i) = static_cast<double>(i * step); });
        halo.start(), fill.start(), ring.start();
        ring.wait(), fill.wait(), halo.wait();
        shift();
        append(result, u.now(), u.allocated());
        halo.reverse(sum);
        append(result, *v, v.allocated());
        append(result, *whole, whole.allocated());
        append(result, *turned, turned.owned());
        result.push_back(in);
        result.push_back(reduce(g.all(), 0.0, sum, [a = u.now()](auto i, auto j) { return a(i, j); }));
        result.push_back(broadcast(rt, rt.rank() == step % rt.size() ? out : 0.0, step % rt.size()));
    }
    for (auto const& text : {halo.explain(), fill.explain(), ring.explain(), shift.explain(), rt.explain()}) who(text);
    return result;
}

// `prepare` says in each rank who runs its plans.
template <class Prepare> void compare(std::string const& engine, Prepare prepare) {
    for (int const ranks : {1, 2, 3, 4})
        for (char const* const channel : {"", "pull", "stage-chunks", "reference"}) {
            std::vector<outcome> expected(static_cast<std::size_t>(ranks)), results(expected);
            run_threads(ranks,
                        [&](runtime& rt) { expected[static_cast<std::size_t>(rt.rank())] = run_everything(rt, channel, ""); });
            run_threads(ranks, [&](runtime& rt) {
                prepare(rt);
                results[static_cast<std::size_t>(rt.rank())] = run_everything(rt, channel, engine);
            });
            EXPECT_EQ(results, expected) << ranks << " ranks, channel \"" << channel << '"';
        }
}

TEST(AnotherEngine, RunsWhatWasPlannedUnchanged) {
    std::vector<late_engines> late(4);
    compare("late", [&](runtime& rt) { rt.job().engines = &late[static_cast<std::size_t>(rt.rank())]; });
    for (auto const& kind : late) EXPECT_GE(kind.started, 5 * 7);
}

// What SODE_ENGINE=thread asks for, for ranks that are threads themselves: a sanitizer sees all of them.
TEST(AnotherEngine, MayBeAThread) {
    std::vector<std::unique_ptr<thread_engines>> threads(4);
    compare("thread", [&](runtime& rt) {
        auto& mine = threads[static_cast<std::size_t>(rt.rank())];
        if (!mine) mine = std::make_unique<thread_engines>(rt.job().waiting, std::nullopt);
        rt.job().engines = mine.get();
    });
}

// The same of SODE_ENGINE=triggered:2.
TEST(AnotherEngine, MayBeNetworkInterfaces) {
    std::vector<std::unique_ptr<triggered_engines>> interfaces(4);
    compare("triggered", [&](runtime& rt) {
        auto& mine = interfaces[static_cast<std::size_t>(rt.rank())];
        if (!mine) mine = std::make_unique<triggered_engines>(rt.job().waiting, 2, std::span<processor_set const>{});
        rt.job().engines = mine.get();
    });
}

// A rank may leave with something under way: nobody takes another step then.
TEST(AnotherEngine, EndsWithItsRuntime) {
    setenv("SODE_ENGINE", "thread", 1);
    std::optional<reflection> under_way;
    ::testing::internal::CaptureStderr();
    {
        runtime rt{0, nullptr};
        grid<1> const g{rt, {60}};
        array<double, 1> u{g, shadow{1}, 2.5, "u"};
        auto halo = reflect_init({.periodic = true}, u);
        EXPECT_NE(halo.explain().find("engine: thread"), std::string::npos);
        halo();
        EXPECT_EQ((*u)(60), 2.5);
        under_way.emplace(std::move(halo));
        under_way->start();
    }
    unsetenv("SODE_ENGINE");
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("array \"u\""), std::string::npos);
    EXPECT_THROW(under_way->wait(), error);
    under_way.reset();
}

TEST(AnotherEngine, IsForLargeExchangesWhereAProcessorIsSpare) {
    auto const before = processor_set::of_this_thread();
    auto const cores = before.numbers();
    auto const engine_in = [](runtime const& rt, index_t rows) {
        grid<2> const g{rt, {4, rows}};
        array<double, 2> u{g, {1, 0}, 0.0, "u"}; // rows of the second dimension are whole
        return reflect_init({.periodic = {true, false}}, u).explain();
    };
    auto const engine_of = [&](index_t rows) { return engine_in(runtime{0, nullptr}, rows); };
    auto const engine_of_part = [&](index_t rows) {
        runtime const whole{0, nullptr};
        return engine_in(runtime{whole, {0}}, rows);
    };
    setenv("SODE_ENGINE", "auto", 1);
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(engine_of(1 << 20).find("engine: thread"), std::string::npos);
    EXPECT_THAT(::testing::internal::GetCapturedStderr(),
                ::testing::HasSubstr("SODE_ENGINE=auto finds no spare processors, so ranks run their own plans"));
    setenv("SODE_ENGINE_CORES", std::to_string(cores.back()).c_str(), 1);
    if (cores.size() > 1) {
        processor_set one;
        one.insert(cores.front());
        ASSERT_TRUE(one.bind_this_thread());
        EXPECT_THAT(engine_of(1 << 20), ::testing::HasSubstr("engine: thread\n"));
        EXPECT_THAT(engine_of(10), ::testing::HasSubstr("engine: inline (it moves 160 B, and thread is faster only from "));
        EXPECT_THAT(engine_of_part(1 << 20), ::testing::HasSubstr("engine: thread\n"));
        EXPECT_THAT(engine_of_part(10), ::testing::HasSubstr("engine: inline (it moves 160 B, and thread is faster only from "));
        ASSERT_TRUE(before.bind_this_thread());
    }
    unsetenv("SODE_ENGINE");
    unsetenv("SODE_ENGINE_CORES");
}

// 40 KB: too few to be handed over where nobody says that there is work beside.
TEST(AnotherEngine, IsForWhatIsToOverlap) {
    auto const before = processor_set::of_this_thread();
    auto const cores = before.numbers();
    if (cores.size() < 2) GTEST_SKIP() << "no processor is spare";
    auto const engine_of = [](std::optional<double> overlap) {
        runtime rt{0, nullptr};
        std::vector<double> in(5000, 1.5), out(5000);
        auto sums = allreduce_init(rt, std::span<double const>{in}, std::span{out}, sum, {.overlap = overlap});
        sums();
        EXPECT_EQ(out, in);
        return sums.explain();
    };
    setenv("SODE_ENGINE", "auto", 1);
    setenv("SODE_ENGINE_CORES", std::to_string(cores.back()).c_str(), 1);
    processor_set one;
    one.insert(cores.front());
    ASSERT_TRUE(one.bind_this_thread());
    EXPECT_THAT(engine_of(1.0), ::testing::HasSubstr("engine: thread\n"));
    EXPECT_THAT(engine_of({}), ::testing::HasSubstr("engine: inline (it moves 40000 B, and thread is faster only from "));
    EXPECT_THAT(engine_of(0.01), ::testing::HasSubstr("engine: inline ("));
    EXPECT_THAT(engine_of(0.0), ::testing::Not(::testing::HasSubstr("engine: thread")));
    EXPECT_THROW(static_cast<void>(engine_of(1.5)), error);
    ASSERT_TRUE(before.bind_this_thread());
    setenv("SODE_ENGINE", "thread", 1); // whoever names one keeps it
    EXPECT_THAT(engine_of(0.0), ::testing::HasSubstr("engine: thread"));
    unsetenv("SODE_ENGINE");
    unsetenv("SODE_ENGINE_CORES");
    EXPECT_THAT(engine_of(1.0), ::testing::Not(::testing::HasSubstr("engine: thread"))) << "none is made unasked";
}

TEST(AnotherEngine, StaysOnTheProcessorsThatWereDeclared) {
    setenv("SODE_ENGINE", "thread", 1);
    auto const before = processor_set::of_this_thread().numbers();
    setenv("SODE_ENGINE_CORES", std::to_string(before.back()).c_str(), 1);
    {
        runtime rt{0, nullptr};
        EXPECT_EQ(reduce(grid<1>{rt, {10}}.all(), 0, sum, [](auto) { return 1; }), 10);
        EXPECT_NE(rt.explain().find("engine: thread"), std::string::npos);
        EXPECT_EQ(processor_set::of_this_thread().numbers(), before) << "the rank itself may run where it could";
    }
    setenv("SODE_ENGINE_CORES", "1022", 1);
    EXPECT_THAT(message(
                    [] {
                        return runtime{0, nullptr}.rank();
                    },
                    error_kind::environment),
                ::testing::HasSubstr("binding to processors 1022 failed for the thread that runs plans"));
    unsetenv("SODE_ENGINE");
    unsetenv("SODE_ENGINE_CORES");
}

} // namespace
} // namespace sode::internal::testing
