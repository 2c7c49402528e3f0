// SPDX-License-Identifier: Apache-2.0
// examples/shallow_water: the same water on any number of ranks, none of it lost, and a run that goes on from a file ends as one
// that was never interrupted.
#include "run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct ending {
    std::string time, depth, volume, picture;
    friend bool operator==(ending const&, ending const&) = default;
};

ending run_on(int ranks, std::vector<std::string> const& options) {
    scratch const files;
    auto const file = files / "water.png";
    std::vector<std::string> words{SHALLOW_WATER, "--picture", file};
    words.insert(words.end(), options.begin(), options.end());
    auto const r = run(on_ranks(ranks, words));
    EXPECT_EQ(r.status, 0) << r.err;
    if (r.status != 0) return {};
    return {line_of(r.out, "time"), line_of(r.out, "depth"), line_of(r.out, "volume"), contents(file)};
}

class ShallowWater : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, ShallowWater, ::testing::Values(2, 3, 4, 6, 8));

TEST_P(ShallowWater, IsThatOfOneRank) {
    for (std::vector<std::string> const& options : {std::vector<std::string>{}, {"--walls"}, {"--dam", "--walls"}}) {
        std::vector<std::string> words{"-n", "90", "-s", "60"};
        words.insert(words.end(), options.begin(), options.end());
        EXPECT_EQ(run_on(GetParam(), words), run_on(1, words));
    }
}

TEST_P(ShallowWater, ChecksFindNothing) {
    auto const r = run(on_ranks(GetParam(), {"env", "SODE_CHECK=all", SHALLOW_WATER, "-n", "40", "-s", "5", "--walls"}));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
}

TEST(ShallowWaterVolume, StaysWhatItWas) {
    for (auto const* const option : {"--walls", "--dam"}) {
        auto const r = run(on_ranks(2, {SHALLOW_WATER, "-n", "60", "-s", "200", option}));
        ASSERT_EQ(r.status, 0) << r.err;
        auto const said = line_of(r.out, "volume"); // "123.973750000 m3 at first, 123.973750000 now"
        EXPECT_EQ(said.substr(0, said.find(' ')), said.substr(said.rfind(", ") + 2, said.find(' ')));
    }
}

TEST(ShallowWaterFiles, GoOnWhereTheyLeftOff) {
    scratch const files;
    std::vector<std::string> const common{"-n", "64", "--walls", "--every", "20", "--out", files / "new folder"};
    auto const with = [&](std::vector<std::string> words) {
        words.insert(words.end(), common.begin(), common.end());
        return words;
    };
#if WITH_FILES
    static_cast<void>(run_on(3, with({"-s", "40"})));
    auto const interrupted = run_on(4, with({"-s", "30", "--from", files / "new folder/water-000040.h5"}));
    auto const whole = run_on(1, {"-n", "64", "--walls", "-s", "70"});
    EXPECT_EQ(interrupted.time, whole.time);
    EXPECT_EQ(interrupted.depth, whole.depth);
    EXPECT_EQ(interrupted.picture, whole.picture);

    auto const series = contents(files / "new folder/water.xdmf");
    for (auto const* const name : {"water-000000.h5:/h<", "water-000020.h5:/hu<", "water-000040.h5:/hv<", "water-000060.h5:/h<"})
        EXPECT_THAT(series, HasSubstr(name));
    EXPECT_FALSE(std::filesystem::exists(files / "new folder/water-000070.h5"));

    auto const wrong = run(on_ranks(2, {SHALLOW_WATER, "-n", "65", "--from", files / "new folder/water-000040.h5"}));
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(wrong.err, HasSubstr("(64 x 64 elements in the file, 65 x 65 in the array)"));
#else
    auto words = with({"-s", "1"});
    words.insert(words.begin(), SHALLOW_WATER);
    auto const r = run(on_ranks(2, words));
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, HasSubstr("--out is not possible (this program was built without HDF5)"));
#endif
}

TEST(ShallowWaterUsage, UnknownWordsAreRefused) {
    EXPECT_THAT(run({SHALLOW_WATER, "--wall"}).err, HasSubstr("\"--wall\" is not understood"));
    EXPECT_EQ(run({SHALLOW_WATER, "--wall"}).status, 1);
}

} // namespace
} // namespace sode::internal::testing
