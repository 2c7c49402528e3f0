// SPDX-License-Identifier: Apache-2.0
// What a series refuses.
#include <sode/series.hpp>
#include <sode/sode.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

std::string complaint(std::function<void()> const& call) {
    try {
        call();
    } catch (error const& e) {
        return e.what();
    }
    return "no complaint";
}

TEST(Series, RefusesWhatNoPictureShows) {
    auto const stem = std::string{SODE_TEST_FOLDER} + "/refused/s";
    run_threads(2, [&](runtime& rt) {
        grid<2> const g{rt, {5, 7}};
        array<double, 1> line{grid<1>{rt, {5}}};
        array<double, 2> plane{g}, wider{grid<2>{rt, {5, 8}}};
        array<double, 4> many{grid<4>{rt, {2, 2, 2, 2}}};
        series plain{rt, stem};
        EXPECT_THAT(complaint([&] { plain.write({{"u", line}}, {}); }), HasSubstr("it has 1 dimension, and a series needs 2 or 3"));
        EXPECT_THAT(complaint([&] { plain.write({{"u", many}}, {}); }), HasSubstr("it has 4 dimensions"));
        EXPECT_THAT(complaint([&] { plain.write({{"u", plane}, {"v", wider}}, {}); }), HasSubstr("make a series for each shape"));
        EXPECT_THAT(complaint([&] { plain.write({}, {}); }), HasSubstr("the list of fields is empty"));
        series solid{rt, stem, {.spacing = {1, 1, 1}}};
        EXPECT_THAT(complaint([&] { solid.write({{"u", plane}}, {}); }), HasSubstr("origin and spacing are for 3"));
        EXPECT_THAT(complaint([&] { series{rt, stem, {.origin = {0}}}; }), HasSubstr("origin has 1 numbers"));
        EXPECT_THAT(complaint([&] {
                        series{rt, stem, {.origin = {0, 0}, .spacing = {1, 1, 1}}};
                    }),
                    HasSubstr("the same number of dimensions"));
        EXPECT_EQ(plain.file(12), stem + "-000012.h5");
        auto const moved = std::move(solid);
        // NOLINTNEXTLINE(bugprone-use-after-move): it is the test
        EXPECT_THAT(complaint([&] { static_cast<void>(solid.file(1)); }), HasSubstr("was used after a move"));
        EXPECT_FALSE(std::filesystem::exists(stem + ".xdmf"));
    });
}

} // namespace
} // namespace sode::internal::testing
