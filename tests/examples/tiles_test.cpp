// SPDX-License-Identifier: Apache-2.0
// examples/heat, acoustic and shallow_water: with --tiles the same bits as by single steps, on any number of ranks.
#include "run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

std::string dump_of(int ranks, std::vector<std::string> words, std::string const& tiles, std::string const& explains) {
    scratch const files;
    auto const file = files / "field";
    if (!tiles.empty()) words.insert(words.begin(), {"env", "SODE_TILES=" + tiles});
    words.insert(words.end(), {"--dump", file});
    auto const r = run(on_ranks(ranks, words));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, HasSubstr(explains));
    return r.status == 0 ? contents(file) : "";
}

class Tiles : public ::testing::TestWithParam<int> {
protected:
    static void expect_equal(std::vector<std::string> const& single, std::vector<std::string> const& steps,
                             std::string const& field) {
        auto const wanted = dump_of(GetParam(), single, "", "halo of ");
        ASSERT_FALSE(wanted.empty());
        EXPECT_EQ(wanted, dump_of(1, single, "", "halo of ")) << "other ranks, other bits";
        auto many = single;
        many.emplace_back("--tiles");
        for (auto const& k : steps)
            EXPECT_TRUE(wanted == dump_of(GetParam(), many, k, "march of \"" + field + "\": " + k + " time step"))
                << k << " steps at a time";
        EXPECT_TRUE(wanted == dump_of(GetParam(), many, "", "march of \"" + field + '"'))
            << "as many steps at a time as it chooses";
    }
};
INSTANTIATE_TEST_SUITE_P(Ranks, Tiles, ::testing::Values(1, 2, 3, 4, 6, 8));

TEST_P(Tiles, OfHeatAreSingleSteps) {
    expect_equal({HEAT, "-n", "33", "-s", "61"}, {"2", "5", "8"}, "u");
}
TEST_P(Tiles, OfAWaveThatReachesFourPointsAreSingleSteps) {
    expect_equal({ACOUSTIC, "-n", "37", "-s", "45"}, {"2"}, "p");
}
TEST_P(Tiles, OfShallowWaterAreSingleSteps) {
    expect_equal({SHALLOW_WATER, "-n", "137", "-s", "33", "--keep", "10", "--walls"}, {"2", "5", "8"}, "h");
    expect_equal({SHALLOW_WATER, "-n", "137", "-s", "33", "--keep", "10", "--dam"}, {"7"}, "h");
}

// From the hot side to the cold one in a straight line.
TEST(Heat, ComesToRest) {
    auto const r = run(on_ranks(2, {HEAT, "-n", "12", "-s", "4000"}));
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_NEAR(std::stod(line_of(r.out, "mean temperature")), 0.5, 1e-9);
    EXPECT_LT(std::stod(line_of(r.out, "last change")), 1e-9);
}

} // namespace
} // namespace sode::internal::testing
