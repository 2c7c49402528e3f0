// SPDX-License-Identifier: Apache-2.0
// SODE_CHECK=halo and the steps of a march: what they look at and what they write is found, and steps that keep to it pass.
#include "support/message.hpp"

#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

class CheckedMarch : public ::testing::Test {
protected:
    CheckedMarch() { setenv("SODE_CHECK", "halo", 1); }
    ~CheckedMarch() override { unsetenv("SODE_CHECK"); }
};

// What a march of this step says, on rank 0 of two.
template <class Step> std::string said(Step step) {
    std::string text;
    try {
        run_threads(2, [&](runtime& rt) {
            grid<2> const g{rt, {24, 20}};
            buffered<double, 2> u{g, shadow{1}, tiles{3}, 1.0, "u"};
            bundle<double, 2, 2> k{g, {2.0, 3.0}, shadow{1}, tiles{3}, "k"};
            auto halo = reflect_init(u), around = reflect_init(k);
            around();
            halo.march(5, g.inner(2), step, u, k);
        });
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        text = e.what();
    }
    return text;
}

TEST_F(CheckedMarch, WhatKeepsToItsShadowPasses) {
    EXPECT_EQ(said([](auto a, auto b, auto k) {
                  return [=](auto i, auto j) { b(i, j) = 0.25 * b(i, j) + a(i - 1, j) + a(i, j + 1) + k(1, i + 1, j); };
              }),
              "");
}

TEST_F(CheckedMarch, FindsWhatIsTooFarAway) {
    EXPECT_THAT(said([](auto a, auto b, auto) { return [=](auto i, auto j) { b(i, j) = a(i, j) + a(i, j - 2); }; }),
                HasSubstr("of array \"u\" (the element is outside the shadow"));
    EXPECT_THAT(said([](auto a, auto b, auto k) { return [=](auto i, auto j) { b(i, j) = a(i, j) + k(0, i, j + 2); }; }),
                HasSubstr("of array \"k\" (the element is outside the shadow"));
}

TEST_F(CheckedMarch, FindsWhatIsAnothersToWrite) {
    EXPECT_THAT(said([](auto a, auto b, auto) { return [=](auto i, auto j) { b(i, j + 1) = a(i, j); }; }),
                HasSubstr("of next() of array \"u\" (a step of a march may access only its own element of next())"));
}

} // namespace
} // namespace sode::internal::testing
