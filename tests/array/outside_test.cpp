// SPDX-License-Identifier: Apache-2.0
// SODE_CHECK=halo and what no loop of the library shows it: elements outside the array, loops of the program's own, its own memory.
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr index_t n = 20;

class Checked : public ::testing::Test {
protected:
    Checked() { setenv("SODE_CHECK", "halo", 1); }
    ~Checked() override { unsetenv("SODE_CHECK"); }

    // What one of the ranks is told, and what is said on stderr at the end.
    std::string told(int ranks, std::function<void(runtime&)> const& program) {
        ::testing::internal::CaptureStderr();
        std::string what = "nothing";
        try {
            run_threads(ranks, program);
        } catch (error const& e) {
            EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
            what = e.what();
        }
        said = ::testing::internal::GetCapturedStderr();
        return what;
    }
    std::string said;
};

struct plate {
    explicit plate(runtime& rt) : g(rt, {n, n}), u(g, shadow{1}, 1.5, "u"), w(g, {}, 0.0, "w"), halo(reflect_init(u)) {
        loop(g.all(), [u = *u](auto i, auto j) { u(i, j) = static_cast<double>(i * 100 + j); });
    }
    template <class Domain> void upwards(Domain const& where) {
        loop(where, [a = *u, w = *w](auto i, auto j) { w(i, j) = a(i - 1, j); });
    }
    grid<2> g;
    array<double, 2> u, w;
    reflection halo;
};

auto const never_filled = AllOf(HasSubstr("of array \"u\" was read on rank 0, but was never filled"),
                                HasSubstr("outside the array"), HasSubstr("g.inner()"), HasSubstr(".periodic"));

TEST_F(Checked, LoopsThatGoOneTooFarReadOutside) {
    for (int const ranks : {1, 2, 3})
        EXPECT_THAT(told(ranks,
                         [](runtime& rt) {
                             plate p{rt};
                             p.halo();
                             p.upwards(p.g.all());
                         }),
                    AllOf(never_filled, HasSubstr("element (-1, 0)")));
    for (int const ranks : {1, 2, 3})
        EXPECT_EQ(told(ranks,
                       [](runtime& rt) {
                           plate p{rt};
                           p.halo();
                           p.upwards(p.g.inner());
                           auto around = reflect_init({.periodic = true}, p.u);
                           around();
                           p.upwards(p.g.all());
                       }),
                  "nothing");
}

TEST_F(Checked, WhatTheProgramHasFilledMayBeRead) {
    for (double const wall : {0.0, 1.5, 7.0}) // 1.5 is there from the beginning
        EXPECT_EQ(told(2,
                       [wall](runtime& rt) {
                           plate p{rt};
                           loop(p.g.face(0, 0), [u = *p.u, wall](auto i, auto j) { u(i - 1, j) = wall; });
                           p.halo();
                           p.upwards(p.g.all());
                           EXPECT_EQ(reduce(p.g.face(0, 0), -1.0, max, [w = *p.w](auto i, auto j) { return w(i, j); }), wall);
                       }),
                  "nothing");
    EXPECT_EQ(told(1,
                   [](runtime& rt) {
                       grid<1> const g{rt, {n}};
                       buffered<int, 1> flags{g, shadow{1}, 0, "flags"};
                       for (int half = 0; half < 2; ++half, flags.flip()) {
                           loop(g.on({{0}, {1}}), [f = flags.now()](auto i) { f(i - 1) = 2; });
                           loop(g.on({{0}, {1}}), [f = flags.now()](auto i) { f(i - 1) += 1; });
                           EXPECT_EQ(flags.now()(-1), 3);
                       }
                       bundle<float, 1, 2> b{g, {1.F, 2.F}, shadow{1}, "b"};
                       loop(g.on({{0}, {1}}), [b = *b](auto i) { b(0, i - 1) = b(1, i - 1) = 2.F; });
                       EXPECT_EQ((*b)(0, -1) + (*b)(1, -1), 4.F);
                       loop(g.on({{0}, {1}}), [b = *b](auto i) { b(0, i) = b(0, i - 1) + b(1, i - 1); });
                   }),
              "nothing");
}

TEST_F(Checked, AProgramMaySayThatItHasFilledWhatLiesOutside) {
    EXPECT_EQ(told(2,
                   [](runtime& rt) {
                       plate p{rt};
                       p.u.outside_is_filled();
                       p.halo();
                       p.upwards(p.g.all());
                   }),
              "nothing");
}

TEST_F(Checked, LoopsOfOnesOwnAreSeenThroughACheckedView) {
    auto const own_loop = [](plate& p) {
        auto const a = (*p.u).checked();
        auto const w = *p.w;
        for (auto const& [i, j] : p.g.inner().local()) w(i, j) = a(i - 1, j);
    };
    EXPECT_THAT(told(2,
                     [&](runtime& rt) {
                         plate p{rt};
                         own_loop(p);
                     }),
                AllOf(HasSubstr("of array \"u\" is stale on rank 1"), HasSubstr("never been exchanged")));
    EXPECT_THAT(told(2,
                     [&](runtime& rt) {
                         plate p{rt};
                         p.halo();
                         own_loop(p);
                         loop(p.g.all(), [u = *p.u](auto i, auto j) { u(i, j) += 1; });
                         own_loop(p);
                     }),
                HasSubstr("was written since its last exchange"));
    EXPECT_THAT(told(1,
                     [&](runtime& rt) {
                         plate p{rt};
                         auto const a = (*p.u).checked();
                         for (auto const& [i, j] : p.g.local()) (*p.w)(i, j) = a(i - 1, j);
                     }),
                never_filled);
    EXPECT_EQ(told(3,
                   [&](runtime& rt) {
                       plate p{rt};
                       p.halo();
                       own_loop(p);
                   }),
              "nothing");
    EXPECT_EQ(said, "");
}

TEST_F(Checked, LoopsOfOnesOwnThatAreNotSeenAreNamedAtTheEnd) {
    EXPECT_EQ(told(2,
                   [&](runtime& rt) {
                       plate p{rt};
                       for (auto const& [i, j] : p.g.inner().local()) (*p.w)(i, j) = (*p.u)(i - 1, j);
                   }),
              "nothing");
    EXPECT_THAT(said, AllOf(HasSubstr("reads of the halo of \"u\" were not checked"), HasSubstr("checked()")));
    EXPECT_EQ(said.find("not checked"), said.rfind("not checked")) << "once";
}

// A program's own memory: a row in a vector, by attach.
struct row {
    explicit row(runtime& rt)
        : g(rt, {n}), first(g.all().part().lower[0]), values(static_cast<std::size_t>(g.all().part().size() + 2), 1.0F),
          mine(attach(g, values.data(), strides{1}, shadow{1}, "depth")), halo(reflect_init(mine)) {}
    float& at(index_t i) { return values[static_cast<std::size_t>(i - first + 1)]; }

    grid<1> g;
    index_t first;
    std::vector<float> values;
    attached<float, 1> mine;
    reflection halo;
};

TEST_F(Checked, AttachedArraysAreSeenThroughTheirAccessObject) {
    auto const total = [](row& r) {
        return reduce(r.g.all(), 0.0F, sum, [a = r.mine.checked()](auto i) { return a(i - 1) + a(i + 1); });
    };
    EXPECT_THAT(told(2,
                     [&](runtime& rt) {
                         row r{rt};
                         static_cast<void>(total(r));
                     }),
                AllOf(HasSubstr("of array \"depth\" is stale"), HasSubstr("never been exchanged")));
    for (int const ranks : {1, 2, 3})
        EXPECT_EQ(told(ranks,
                       [&](runtime& rt) {
                           row r{rt};
                           r.halo();
                           EXPECT_EQ(total(r), 2.F * n) << "what lies outside is the program's";
                       }),
                  "nothing");
    EXPECT_EQ(said, "");
}

TEST_F(Checked, AttachedArraysThatAreNotSeenAreNamedAtTheEnd) {
    EXPECT_EQ(told(2,
                   [](runtime& rt) {
                       row r{rt};
                       r.halo();
                       static_cast<void>(reduce(r.g.all(), 0.0F, sum, [&](auto i) { return r.at(i - 1) + r.at(i + 1); }));
                   }),
              "nothing");
    EXPECT_THAT(said, HasSubstr("reads of the halo of \"depth\" were not checked"));
}

TEST_F(Checked, WithoutTheSettingNothingIsSaid) {
    unsetenv("SODE_CHECK");
    EXPECT_EQ(told(2,
                   [](runtime& rt) {
                       plate p{rt};
                       p.upwards(p.g.all());
                       auto const a = (*p.u).checked();
                       for (auto const& [i, j] : p.g.inner().local()) EXPECT_EQ(a(i, j), static_cast<double>(i * 100 + j));
                       row r{rt};
                       EXPECT_EQ(r.mine.checked()(r.first), 1.F);
                   }),
              "nothing");
    EXPECT_EQ(said, "");
}

} // namespace
} // namespace sode::internal::testing
