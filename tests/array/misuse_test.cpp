// SPDX-License-Identifier: Apache-2.0
// Objects used when they are no more, or not yet: an error that says so.
#include "model/job.hpp"
#include "support/late_engine.hpp"
#include "support/with_variable.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>
#include <sode/window.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

template <class F> std::string complaint(F f) {
    try {
        f();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
        return e.what();
    }
    return "none";
}

struct Misuse : ::testing::Test {
    runtime rt{0, nullptr};
    grid<1> g{rt, {60}};
    array<double, 1> a{g, shadow{1}, 0.0, "a"};
};

// Settings are read before anything else: what is wrong with them is told like any other error, though nobody catches it.
TEST(MisuseDeathTest, AWrongSettingIsToldAsAllErrorsAre) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    with_variable const set{"SODE_ENGINE", "bogus"};
    auto const starts = []() noexcept { runtime const rt{0, nullptr}; };
    EXPECT_DEATH(starts(), AllOf(HasSubstr("sode: error: SODE_ENGINE=bogus is invalid"), HasSubstr("\n  set SODE_ENGINE to inline"),
                                 Not(HasSubstr("terminate called"))));
}

TEST_F(Misuse, WaitNeedsAStart) {
    auto halo = reflect_init(a);
    array<double, 1> b{g, {}, 0.0, "b"};
    auto move = copy_init(a, b);
    auto const unstarted = [](auto const& what) {
        return AllOf(HasSubstr(what), HasSubstr("without a start"), HasSubstr("start()"));
    };
    EXPECT_THAT(complaint([&] { halo.wait(); }), unstarted("halo of \"a\""));
    EXPECT_THAT(complaint([&] { move.wait(); }), unstarted("copy of"));
    for (int twice = 0; twice < 2; ++twice) {
        halo.start();
        while (!halo.test()) {
        }
        EXPECT_EQ(complaint([&] { halo.wait(); }), "none") << "it may be over before";
        EXPECT_THAT(complaint([&] { halo.wait(); }), unstarted("halo of \"a\""));
        move();
        EXPECT_THAT(complaint([&] { move.wait(); }), unstarted("copy of"));
        halo.start_reverse(sum);
        halo.wait();
        EXPECT_THAT(complaint([&] { halo.wait(); }), unstarted("halo of \"a\""));
    }
}

// When an exchange is over depends on the peers: alone it is over within start(). What is refused must not depend on that, or one
// rank would hear of a mistake, and another one go an epoch ahead of it.
TEST_F(Misuse, NothingStartsAgainBeforeSomebodyHasHeardOfTheEnd) {
    auto halo = reflect_init(a);
    array<double, 1> b{g, {}, 0.0, "b"};
    auto move = copy_init(a, b);
    auto const early = HasSubstr("the previous exchange is still in progress");
    for (int twice = 0; twice < 2; ++twice) {
        halo.start();
        EXPECT_THAT(complaint([&] { halo.start(); }), early);
        EXPECT_THAT(complaint([&] { halo.start_reverse(sum); }), early);
        EXPECT_TRUE(halo.test());
        EXPECT_EQ(complaint([&] { halo.start(); }), "none") << "test() has told it";
        halo.wait();
        halo.start_reverse(sum);
        EXPECT_THAT(complaint([&] { halo.start(); }), HasSubstr("during its reverse()"));
        EXPECT_THAT(complaint([&] { halo.start_reverse(sum); }), early);
        halo.wait();
        move.start();
        EXPECT_THAT(complaint([&] { move.start(); }), early);
        move.wait();
    }
    EXPECT_EQ(halo.epochs(), 2U * 3U);
    EXPECT_EQ(move.epochs(), 2U);
}

TEST_F(Misuse, PeriodicIsForAllDimensionsOrForEach) {
    grid<2> const plate{rt, {6, 6}};
    array<double, 2> u{plate, {1}, 0.0, "u"};
    auto const periodic = [&](by_dimension const& in) {
        return complaint([&] { static_cast<void>(reflect_init({.periodic = in}, u)); });
    };
    EXPECT_THAT(periodic({true}), AllOf(HasSubstr("reflect_options::periodic has 1 entry (array \"u\" has 2 dimensions)"),
                                        HasSubstr(".periodic = true")));
    EXPECT_THAT(periodic({false, false, true}),
                HasSubstr("reflect_options::periodic has 3 entries (array \"u\" has 2 dimensions)"));
    EXPECT_EQ(periodic({true, false}), "none");
    EXPECT_EQ(periodic({true, false, false}), "none");
    EXPECT_EQ(periodic(true), "none");
}

TEST_F(Misuse, DimensionsThatDoNotExist) {
    grid<2> const plate{rt, {6, 6}};
    nodes<2> const p{rt, {1, 1}};
    distribution<2> const t{p, {6, 6}, {block, block}};
    for (int const d : {-1, 2, 7}) {
        auto const none = HasSubstr(fmt::format("there is no dimension {} (there are 2 dimensions, counted from 0)", d));
        EXPECT_THAT(complaint([&] { static_cast<void>(plate.extent(d)); }), none);
        EXPECT_THAT(complaint([&] { static_cast<void>(plate.nodes(d)); }), none);
        EXPECT_THAT(complaint([&] { static_cast<void>(plate.face(d, 0)); }), none);
        EXPECT_THAT(complaint([&] { static_cast<void>(p.extent(d)); }), none);
        EXPECT_THAT(complaint([&] { static_cast<void>(p.coordinate(d)); }), none);
        EXPECT_THAT(complaint([&] { static_cast<void>(t.extent(d)); }), none);
    }
    EXPECT_EQ(plate.extent(1), 6);
}

TEST_F(Misuse, AWindowThatWasMovedFrom) {
    window first{rt, 64, "w"};
    auto const second = std::move(first);
    auto const empty = HasSubstr("a window was used after a move");
    EXPECT_THAT(complaint([&] { static_cast<void>(first.bytes(0)); }), empty); // NOLINT(bugprone-use-after-move): it is the test
    EXPECT_THAT(complaint([&] { static_cast<void>(first.name()); }), empty);
    EXPECT_THAT(complaint([&] { first.flush(); }), empty);
    EXPECT_EQ(second.bytes(0), 64U);
}

TEST(MisuseOfArguments, ANumberThatDoesNotFitIsRefused) {
    std::string program = "program", name = "-n", number = "3000000000";
    std::array<char*, 3> words{program.data(), name.data(), number.data()};
    runtime const rt{3, words.data()};
    EXPECT_EQ(rt.arg("-n", index_t{1}), 3000000000);
    EXPECT_THAT(complaint([&] { static_cast<void>(rt.arg("-n", 1)); }), HasSubstr("-n 3000000000 is invalid"));
}

// By an engine that does nothing at once, so that a rank that is alone can be too early.
class MisuseOfAll : public Misuse {
protected:
    MisuseOfAll() { rt.job().engines = &engines; }
    template <class Start, class Wait> void try_all(std::string const& name, Start start, Wait wait) {
        auto const unstarted = AllOf(HasSubstr(name), HasSubstr("was waited for without a start"));
        EXPECT_THAT(complaint(wait), unstarted);
        for (int twice = 0; twice < 2; ++twice) {
            start();
            EXPECT_THAT(complaint(start), AllOf(HasSubstr(name), HasSubstr("the previous exchange is still in progress")));
            EXPECT_EQ(complaint(wait), "none");
            EXPECT_THAT(complaint(wait), unstarted);
        }
    }

    late_engines engines;
    array<double, 1> b{g, {}, 0.0, "b"};
};

TEST_F(MisuseOfAll, StartedTwiceOrWaitedForWithoutAStart) {
    auto halo = reflect_init(a);
    try_all(
        "halo of \"a\"", [&] { halo.start(); }, [&] { halo.wait(); });
    halo.reverse(sum);
    try_all(
        "halo of \"a\"", [&] { halo.start_reverse(sum); }, [&] { halo.wait(); });
    auto copy = copy_init(a, b);
    try_all(
        "copy of \"b\" to \"a\"", [&] { copy.start(); }, [&] { copy.wait(); });
    double from = 1, to = 0;
    auto const number = datatype::contiguous(sizeof from);
    auto message = exchange_init(rt, {send_init(&from, number, 0), recv_init(&to, number, 0)});
    try_all(
        "exchange", [&] { message.start(); }, [&] { message.wait(); });
    EXPECT_EQ(engines.made, 4);
    EXPECT_EQ(engines.started, 2 + 3 + 2 + 2);
}

TEST_F(MisuseOfAll, DestroyedWhileStarted) {
    double from = 7, to = 0;
    auto const number = datatype::contiguous(sizeof from);
    auto const values = *a, others = *b;
    values(0) = 3;
    {
        auto halo = reflect_init({.periodic = true}, a);
        auto copy = copy_init(b, a);
        auto message = exchange_init(rt, {send_init(&from, number, 0), recv_init(&to, number, 0)});
        halo.start(), copy.start(), message.start();
    }
    EXPECT_EQ(values(60), 3);
    EXPECT_EQ(others(0), 3);
    EXPECT_EQ(to, 7);
    {
        auto halo = reflect_init({.periodic = true}, a);
        halo.start_reverse(sum);
    }
    EXPECT_EQ(values(0), 6);
    EXPECT_EQ(engines.abandoned, 0);
}

TEST_F(Misuse, AnExchangeHasFields) {
    EXPECT_THAT(complaint([] { static_cast<void>(reflect_init(reflect_options{})); }), HasSubstr("an exchange has no fields"));
}

TEST_F(Misuse, WhatWasMovedFromSaysSo) {
    auto const moved = HasSubstr("was used after a move");
    auto halo = reflect_init(a);
    auto const taken = std::move(halo);
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    EXPECT_THAT(complaint([&] { halo(); }), moved);
    EXPECT_THAT(complaint([&] { halo.wait(); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(halo.test()); }), moved);
    EXPECT_THAT(complaint([&] { halo.reverse(sum); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(halo.explain()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(halo.dump()); }), moved);
    EXPECT_THAT(complaint([&] { halo.overlap(g.inner(), [](auto) {}); }), moved);
    EXPECT_EQ(halo.epochs() + halo.executed(), 0U);
    array<double, 1> b{g, {}, 0.0, "b"};
    auto move = copy_init(a, b);
    auto const kept = std::move(move);
    EXPECT_THAT(complaint([&] { move(); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(move.explain()); }), moved);
    // NOLINTEND(bugprone-use-after-move)
}

TEST_F(Misuse, ArraysThatWereMovedFromSaySo) {
    auto const moved = HasSubstr("an array was used after a move");
    buffered<double, 1> two{g, shadow{1}, 0.0, "two"};
    std::vector<double> memory(62);
    auto brought = attach(g, memory.data(), strides{1}, shadow{1}, "brought");
    auto const b = std::move(a);
    auto const kept = std::move(two);
    auto const still = std::move(brought);
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    EXPECT_THAT(complaint([&] { static_cast<void>(*a); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.view()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.cyclic_view()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.owned()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.owns({3})); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.all()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(a.geometry()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(reflect_init(a)); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(collect(a, {{0}, {60}})); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(two.now()); }), moved);
    EXPECT_THAT(complaint([&] { two.flip(); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(brought.checked()); }), moved);
    EXPECT_THAT(complaint([&] { static_cast<void>(reflect_init(brought)); }), moved);
    // NOLINTEND(bugprone-use-after-move)
    EXPECT_EQ((*b)(3), 0);
}

// Under a launcher of MPI this is where MPI must have ended.
TEST(Settings, AChannelThatThereIsNotIsRefusedBeforeAnythingIsPlanned) {
    with_variable const setting{"SODE_CHANNEL", "carrier-pigeon"};
    auto const said = complaint([] { run_threads(2, [](runtime&) {}); });
    EXPECT_THAT(said, AllOf(HasSubstr("unknown channel \"carrier-pigeon\" (SODE_CHANNEL asks for it)"),
                            HasSubstr("the channels are inline, pull")));
}

TEST(Lifetime, WhatLivesLongerThanItsRuntimeSaysSo) {
    std::optional<grid<1>> g;
    std::optional<array<double, 1>> u;
    std::optional<attached<double, 1>> mine;
    std::optional<reflection> halo, under_way;
    std::optional<planned> move;
    std::vector<double> memory(62);
    ::testing::internal::CaptureStderr();
    {
        runtime rt{0, nullptr};
        g.emplace(rt, index<1>{60});
        u.emplace(*g, shadow{1}, 2.5, "u");
        mine.emplace(attach(*g, memory.data(), strides{1}, shadow{1}, "mine"));
        halo.emplace(reflect_init({.periodic = true}, *u));
        under_way.emplace(reflect_init({.periodic = true}, *mine));
        move.emplace(copy_init(*u, *mine));
        under_way->start();
    }
    auto const said = ::testing::internal::GetCapturedStderr();
    EXPECT_THAT(said, AllOf(HasSubstr("array \"u\" lives longer than its runtime"), HasSubstr("array \"mine\"")));
    auto const ended = HasSubstr("was used after its runtime had been destroyed");
    EXPECT_EQ((**u)(59), 2.5) << "the memory is there";
    loop(g->all(), [u = **u](auto i) { u(i) = 1; });
    EXPECT_THAT(complaint([&] { (*halo)(); }), AllOf(ended, HasSubstr("halo of \"u\"")));
    EXPECT_THAT(complaint([&] { under_way->wait(); }), ended);
    EXPECT_THAT(complaint([&] { halo->reverse(sum); }), ended);
    EXPECT_THAT(complaint([&] { (*move)(); }), ended);
    EXPECT_THAT(complaint([&] { static_cast<void>(reflect_init(*u)); }), ended);
    EXPECT_THAT(complaint([&] { static_cast<void>(reduce(g->all(), 0, sum, [](auto) { return 1; })); }), ended);
    EXPECT_THAT(complaint([&] { static_cast<void>(collect(*u, {{0}, {60}})); }), ended);
    EXPECT_THAT(complaint([&] { array<double, 1> const late{*g}; }), ended);
}

TEST(Lifetime, OfRanksThatAreThreads) {
    std::vector<std::optional<array<double, 1>>> kept(3);
    ::testing::internal::CaptureStderr();
    run_threads(3, [&](runtime& rt) {
        grid<1> const g{rt, {60}};
        auto& u = kept[static_cast<std::size_t>(rt.rank())];
        u.emplace(g, shadow{1}, 0.0, "kept");
        reflect_init (*u)();
    });
    EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("array \"kept\" lives longer than its runtime"));
    for (auto& u : kept) EXPECT_EQ((**u)(u->owned().lower[0]), 0);
}

// The neighbours of the rank whose body throws go on; that rank must have had its part of the exchange before it does anything
// else.
TEST(Overlap, AnExceptionOfTheBodyPassesWhenTheExchangeIsOver) {
    for (int const ranks : {1, 2, 3, 4})
        run_threads(ranks, [](runtime& rt) {
            grid<1> const g{rt, {60}};
            array<double, 1> a{g, shadow{1}, 0.0, "a"};
            auto halo = reflect_init({.periodic = true}, a);
            bool const unlucky = rt.rank() == 0;
            for (int t = 0; t < 20; ++t) {
                loop(g.all(), [a = *a, t](auto i) { a(i) = static_cast<double>(100 * i + t); });
                auto const body = [&](auto) {
                    if (unlucky) throw std::runtime_error{"the body has had it"};
                };
                auto const value = [&](auto i) {
                    body(i);
                    return 1;
                };
                if (unlucky) {
                    EXPECT_THROW(halo.overlap(g.all(), body), std::runtime_error);
                    EXPECT_NE(complaint([&] { halo.wait(); }), "none") << "it has been waited for";
                } else {
                    halo.overlap(g.all(), body);
                }
                auto const view = *a;
                auto const last = view.upper(0) - 1;
                auto const at = [&](index_t i) { return static_cast<double>(100 * ((i + 60) % 60) + t); };
                EXPECT_EQ(view(view.lower(0)), at(view.lower(0)));
                EXPECT_EQ(view(last), at(last));
                rt.barrier();
                if (unlucky)
                    EXPECT_THROW(static_cast<void>(halo.overlap_reduce(g.on({{0}, {1}}), 0, sum, value)), std::runtime_error);
                else
                    halo();
                rt.barrier();
            }
        });
}

} // namespace
} // namespace sode::internal::testing
