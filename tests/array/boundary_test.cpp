// SPDX-License-Identifier: Apache-2.0
// What boundary conditions do in single cases, and what users are told who ask for what cannot be.
#include "model/job.hpp"
#include "support/ranks.hpp"

#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

template <class F> std::string error_of(F f) {
    try {
        f();
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage) << e.what();
        return e.what();
    }
    return "no error";
}

// The ghost elements below and above a line 1, 2, …, 64: by layer, the one next to the wall first.
std::string outside(condition<double, 1> const& c) {
    grid<1> g{ranks(), {64}};
    array<double, 1> u{g, shadow{2}, -7.0, "u"};
    auto halo = reflect_init(boundary(u, c));
    loop(g.all(), [v = *u](auto i) { v(i) = static_cast<double>(i + 1); });
    halo();
    std::string text;
    if (ranks().rank() == 0) text += std::to_string(static_cast<int>((*u)(-1))) + ' ' + std::to_string(static_cast<int>((*u)(-2)));
    text += '|';
    if (ranks().rank() == ranks().size() - 1)
        text += std::to_string(static_cast<int>((*u)(64))) + ' ' + std::to_string(static_cast<int>((*u)(65)));
    return text;
}
// What this rank should see of that.
std::string seen(std::string const& low, std::string const& high) {
    return (ranks().rank() == 0 ? low : "") + '|' + (ranks().rank() == ranks().size() - 1 ? high : "");
}

TEST(boundary, kinds) {
    EXPECT_EQ(outside(untouched), seen("-7 -7", "-7 -7"));
    EXPECT_EQ(outside(constant(3)), seen("3 3", "3 3"));
    EXPECT_EQ(outside(nearest), seen("1 1", "64 64"));
    EXPECT_EQ(outside(mirror), seen("1 2", "64 63"));
    EXPECT_EQ(outside(-mirror), seen("-1 -2", "-64 -63"));
    EXPECT_EQ(outside(-(-mirror)), seen("1 2", "64 63"));
    EXPECT_EQ(outside(mirror_at_point), seen("2 3", "63 62"));
    EXPECT_EQ(outside(-mirror_at_point), seen("-2 -3", "-63 -62"));
    EXPECT_EQ(outside(periodic), seen("64 63", "1 2"));
    EXPECT_EQ(outside(computed([](auto const& c) { return 100.0 * static_cast<double>(c.layer()) + c.inner(1); }, 2)),
              seen("2 102", "63 163"));
}

TEST(boundary, the_last_dimension_decides_at_corners) {
    grid<2> g{ranks(), {48, 48}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    reflect_init({.corners = true}, boundary(u, {constant(1.0), constant(2.0)}))();
    auto const v = *u;
    auto const all = u.allocated();
    if (all.contains({-1, -1})) {
        EXPECT_EQ(v(-1, -1), 2.0);
        EXPECT_EQ(v(-1, 0), 1.0);
        EXPECT_EQ(v(0, -1), 2.0);
    }
    // Beside a neighbour's elements, too.
    for (index_t i = std::max<index_t>(all.lower[0], 0); i < std::min<index_t>(all.upper[0], 48); ++i)
        if (all.lower[1] < 0) {
            EXPECT_EQ(v(i, -1), 2.0) << i;
        }
}

TEST(boundary, what_a_function_throws_arrives_and_the_exchange_goes_on) {
    grid<1> g{ranks(), {64}};
    array<double, 1> u{g, shadow{1}, 0.0, "u"};
    bool refuse = true;
    auto halo = reflect_init(boundary(u, computed([&](auto const& c) {
                                          if (refuse) throw std::runtime_error{"no value"};
                                          return c.inner();
                                      })));
    bool const at_end = ranks().rank() == 0 || ranks().rank() == ranks().size() - 1;
    if (at_end) {
        EXPECT_THROW(halo(), std::runtime_error);
    } else {
        halo();
    }
    refuse = false;
    halo();
    EXPECT_EQ(halo.epochs(), 2U);
}

TEST(boundary, a_function_may_look_only_as_deep_as_it_said) {
    grid<1> g{ranks(), {64}};
    array<double, 1> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init(boundary(u, computed([](auto const& c) { return c.inner(2); }, 2)));
    auto const text = error_of([&] { halo(); });
    if (ranks().rank() == 0) {
        EXPECT_THAT(text, ::testing::AllOf(HasSubstr("inner(2)"), HasSubstr("inner(0) to inner(1)"), HasSubstr("depth")));
    }
}

TEST(boundary, a_rank_in_the_middle_has_no_sides) {
    grid<1> g{ranks(), {64}};
    array<double, 1> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init(boundary(u, {{constant(2.0), -mirror}}));
    auto const text = halo.explain();
    bool const first = ranks().rank() == 0, last = ranks().rank() == ranks().size() - 1;
    EXPECT_EQ(text.find("side") != std::string::npos, first || last) << text;
    EXPECT_EQ(text.find("constant") != std::string::npos, first) << text;
    EXPECT_EQ(text.find("-mirror") != std::string::npos, last) << text;
    auto const steps = halo.dump();
    EXPECT_EQ(steps.find("negate") != std::string::npos, last) << steps;
    EXPECT_EQ(steps.find("constant") != std::string::npos, first) << steps;
    for (auto const* format : {"json", "dot"}) EXPECT_FALSE(halo.dump(format).empty());
}

TEST(boundary, reverse_gives_back_with_the_sign) {
    grid<1> g{ranks(), {64}};
    array<double, 1> u{g, shadow{2}, 0.0, "u"};
    auto halo = reflect_init(boundary(u, {{-mirror, nearest}}));
    auto const v = *u;
    loop(g.all(), [v](auto i) { v(i) = 10.0; });
    auto const owned = u.owned();
    for (index_t i : {-1, -2, 64, 65})
        if (u.allocated().contains({i})) v(i) = static_cast<double>(i < 0 ? -i : i - 63);
    for (index_t i : {owned.lower[0] - 1, owned.lower[0] - 2, owned.upper[0], owned.upper[0] + 1})
        if (i >= 0 && i < 64) v(i) = 0.0;
    halo.reverse(sum);
    if (ranks().rank() == 0) {
        EXPECT_EQ(v(0), 9.0);
        EXPECT_EQ(v(1), 8.0);
    }
    if (ranks().rank() == ranks().size() - 1) {
        EXPECT_EQ(v(63), 13.0);
        EXPECT_EQ(v(62), 10.0);
    }
}

TEST(boundary, what_cannot_be) {
    auto& rt = ranks();
    grid<2> g{rt, {64, 64}};
    array<double, 2> u{g, shadow{1}, 0.0, "u"};
    auto const refused = [&](auto const& field, reflect_options const& o = {}) {
        return error_of([&] { auto h = reflect_init(o, field); });
    };
    EXPECT_THAT(refused(boundary(u, {{periodic, mirror}, mirror})), HasSubstr("periodic on only one side of dimension 0"));
    EXPECT_THAT(refused(boundary(u, mirror), {.periodic = {true, false}}), HasSubstr("dimension 0, which is periodic"));
    EXPECT_THAT(refused(boundary(u, components(mirror, mirror))), HasSubstr("has 2 conditions"));
    EXPECT_THAT(refused(boundary(u, components(periodic, mirror))), HasSubstr("has 2 conditions"));
    bundle<double, 2, 2> w{g, {}, shadow{1}, "w"};
    EXPECT_THAT(refused(boundary(w, components(periodic, mirror))), HasSubstr("are periodic"));
    grid<1> line{rt, {static_cast<index_t>(rt.size())}};
    array<double, 1> thin{line, shadow{1}, 0.0, "thin"};
    EXPECT_THAT(refused(boundary(thin, mirror_at_point)), HasSubstr("needs 2 inner elements at the low side of dimension 0"));
    EXPECT_THAT(error_of([&] {
                    auto b = boundary(g.extent(0) > 0 ? u : u, {mirror, mirror, mirror});
                }),
                HasSubstr("for 3 dimensions"));
    if (rt.size() > 1) {
        condition<double, 2> const mine = rt.rank() == 0 ? condition<double, 2>{mirror} : condition<double, 2>{nearest};
        EXPECT_THAT(refused(boundary(u, mine)), HasSubstr("differently"));
    }
}

TEST(boundary, a_field_alone_may_be_periodic) {
    grid<1> g{ranks(), {48}};
    array<double, 1> a{g, shadow{1}, 0.0, "a"}, b{g, shadow{1}, 0.0, "b"};
    auto halo = reflect_init(boundary(a, periodic), b);
    loop(g.all(), [v = *a, w = *b](auto i) { v(i) = w(i) = static_cast<double>(i + 1); });
    halo();
    if (ranks().rank() == 0) {
        EXPECT_EQ((*a)(-1), 48.0);
        EXPECT_EQ((*b)(-1), 0.0);
    }
}

// The check knows that the exchange fills what lies outside, and what that depends on.
TEST(boundary, the_check_knows_what_is_filled) {
    auto& rt = ranks();
    if (!rt.job().watches) GTEST_SKIP() << "without SODE_CHECK=halo";
    grid<1> g{rt, {48}};
    array<double, 1> u{g, shadow{1}, 0.0, "u"};
    auto halo = reflect_init(boundary(u, mirror));
    auto const read = [&] {
        return error_of([&] {
            auto const s =
                detail::accumulate(g.all(), g.all().local(), 0.0, std::plus<>{}, [v = *u](auto i) { return v(i - 1) + v(i + 1); });
            static_cast<void>(s);
        });
    };
    EXPECT_THAT(read(), ::testing::AnyOf(HasSubstr("never been exchanged"), HasSubstr("never filled")));
    halo();
    EXPECT_EQ(read(), "no error");
    loop(g.all(), [v = *u](auto i) { v(i) += 1; });
    EXPECT_THAT(read(), HasSubstr("stale"));
}

} // namespace
} // namespace sode::internal::testing
