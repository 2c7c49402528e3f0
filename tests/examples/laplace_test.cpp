// SPDX-License-Identifier: Apache-2.0
// examples/laplace: the same residual and the same picture on any number of ranks, and as plain C has them.
#include "run.hpp"

#include "support/heat_colours.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include <regex>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

examples::image read_png(std::string const& file) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&png, file.c_str()) == 0) throw std::runtime_error(png.message);
    png.format = PNG_FORMAT_RGB;
    examples::image picture{png.height, png.width};
    if (png_image_finish_read(&png, nullptr, picture.pixels.data(), 0, nullptr) == 0) throw std::runtime_error(png.message);
    return picture;
}

int count(std::string const& text, std::string const& part) {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++n;
    return n;
}

class Laplace : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Laplace, ::testing::Values(1, 2, 3, 4, 6, 8));

TEST_P(Laplace, ResidualIsThatOfPlainC) {
    for (auto const* const steps : {"0", "1", "250"}) {
        auto const plain = run({EXACT_LAPLACE_SERIAL, "-n", "97", "-s", steps});
        ASSERT_EQ(plain.status, 0) << plain.err;
        auto const ours = run(on_ranks(GetParam(), {EXACT_LAPLACE, "-n", "97", "-s", steps}));
        ASSERT_EQ(ours.status, 0) << ours.err;
        EXPECT_EQ(line_of(ours.out, "residual"), line_of(plain.out, "residual"));
        EXPECT_TRUE(std::regex_match(line_of(ours.out, "residual"), std::regex{R"(\d\.\d{6}e-?[+]?\d\d)"})) << ours.out;
    }
}

TEST_P(Laplace, SeveralStepsAtATimeAreTheSame) {
    auto const single = run(on_ranks(GetParam(), {LAPLACE, "-n", "201", "-s", "250"}));
    for (auto const* const steps : {"SODE_TILES=1", "SODE_TILES=2", "SODE_TILES=7", "SODE_TILES=16"}) {
        auto const many = run(on_ranks(GetParam(), {"env", steps, LAPLACE, "-n", "201", "-s", "250", "--tiles"}));
        ASSERT_EQ(many.status, 0) << many.err;
        EXPECT_EQ(line_of(many.out, "residual"), line_of(single.out, "residual")) << steps;
    }
    auto const chosen = run(on_ranks(GetParam(), {LAPLACE, "-n", "201", "-s", "250", "--tiles"}));
    EXPECT_EQ(line_of(chosen.out, "residual"), line_of(single.out, "residual"));
    EXPECT_THAT(chosen.out, HasSubstr("march of \"u\""));
}

TEST_P(Laplace, ChecksFindNothing) {
    auto const r = run(on_ranks(GetParam(), {"env", "SODE_CHECK=all", LAPLACE, "-n", "40", "-s", "20"}));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
}

TEST_P(Laplace, PictureIsThatOfOneRank) {
    scratch const files;
    auto const picture_of = [&](int ranks) {
        auto const file = files / (std::to_string(ranks) + ".png");
        auto const r = run(on_ranks(ranks, {LAPLACE, "-n", "150", "-s", "60", "--picture", file}));
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_THAT(r.out, HasSubstr("picture " + file + " (150 x 150)"));
        return read_png(file);
    };
    auto const one = picture_of(1), many = picture_of(GetParam());
    EXPECT_EQ(one.rows, 150U);
    EXPECT_EQ(one.columns, 150U);
    EXPECT_EQ(many.pixels, one.pixels);
}

// By symmetry: four plates, each with another hot edge, add up to one that is hot all over.
TEST(LaplaceSolution, IsAQuarterInTheMiddle) {
    scratch const files;
    auto const file = files / "plate.png";
    auto const r = run(on_ranks(2, {LAPLACE, "-n", "33", "-s", "4000", "--picture", file}));
    ASSERT_EQ(r.status, 0) << r.err;
    auto const p = read_png(file);
    EXPECT_EQ(p(16, 16), examples::heat_colour(0.25));
    EXPECT_EQ(p(0, 0), examples::heat_colour(1));
    EXPECT_EQ(p(0, 16), examples::heat_colour(1));
    EXPECT_EQ(p(32, 16), examples::heat_colour(0));
    EXPECT_EQ(p(16, 0), examples::heat_colour(0));
    EXPECT_EQ(p(16, 32), examples::heat_colour(0));
}

TEST(LaplacePicture, OfALargePlateIsReduced) {
    scratch const files;
    auto const file = files / "plate.png";
    auto const r = run(on_ranks(3, {LAPLACE, "-n", "2500", "-s", "1", "--picture", file}));
    ASSERT_EQ(r.status, 0) << r.err;
    auto const p = read_png(file);
    EXPECT_EQ(p.rows, 2048U);
    EXPECT_EQ(p.columns, 2048U);
    EXPECT_GT(p(0, 1024).red, 150); // the hot row, and one that has been warmed by a step
    EXPECT_LT(p(2, 1024).red, 50);
    EXPECT_EQ(p(2047, 1024), examples::heat_colour(0));
}

TEST(LaplacePicture, ThatCannotBeWrittenIsAnError) {
    auto const r = run(on_ranks(2, {LAPLACE, "-n", "20", "-s", "1", "--picture", "/nowhere/plate.png"}));
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, HasSubstr("cannot write the picture /nowhere/plate.png"));
}

TEST(LaplacePreview, IsASquareOfHalfBlocks) {
    auto const r = run(on_ranks(4, {LAPLACE, "-n", "256", "-s", "100", "--preview"}));
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "\u2580"), 64 * 32);
    EXPECT_EQ(count(r.out, "\u2580\x1b[0m\n"), 32);
    EXPECT_EQ(count(r.out, "\x1b[38;2;"), 64 * 32);
    EXPECT_EQ(count(r.out, "\x1b[48;2;"), 64 * 32);
    // Its first line shows the hot edge, its last one a cold one.
    auto const red_at = [&](std::size_t at) { return std::stoi(r.out.substr(r.out.find("\x1b[38;2;", at) + 7)); };
    EXPECT_GT(red_at(r.out.find("\x1b[38")), 100);
    EXPECT_LT(red_at(r.out.rfind("\x1b[38")), 10);
}

TEST(LaplacePreview, OfAnOddNumberOfRowsEndsInHalfALine) {
    auto const r = run({LAPLACE, "-n", "9", "-s", "1", "--preview"});
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "\u2580"), 9 * 5);
    EXPECT_EQ(count(r.out, "\x1b[48;2;"), 9 * 4);
}

TEST(LaplaceOutput, IsQuietWhereNobodyLooks) {
    auto const r = run(on_ranks(2, {LAPLACE, "-n", "400", "-s", "2000"}));
    EXPECT_EQ(r.err, "");
    EXPECT_THAT(r.out, Not(HasSubstr("\x1b")));
    EXPECT_THAT(r.out, HasSubstr("2 ranks by sode run"));
    EXPECT_THAT(r.out, HasSubstr("halo of \"u\""));
    EXPECT_THAT(r.out, HasSubstr(" ms a step\n"));
}

TEST(LaplaceProgress, IsToldWhenAskedFor) {
    auto const r = run(on_ranks(2, {LAPLACE, "-n", "400", "-s", "8000", "--progress"}));
    ASSERT_EQ(r.status, 0) << r.err;
    double const seconds =
        8 * std::stod(line_of("ms " + std::regex_replace(r.out, std::regex{R"([^]*\n([0-9.]+) ms a step[^]*)"}, "$1"), "ms"));
    EXPECT_LE(count(r.err, "\n"), 5 * seconds + 1);
    std::regex const line{R"(step \d+ of 8000, \d+ %, [0-9.]+ ms a step, \d+ s to go)"};
    auto const often = run(on_ranks(2, {"env", "PROGRESS_EVERY=0", LAPLACE, "-n", "40", "-s", "8000", "--progress"}));
    EXPECT_GE(count(often.err, "\n"), 1);
    EXPECT_THAT(often.err, StartsWith("step 1 of 8000, 0 %, "));
    std::istringstream all{r.err + often.err};
    for (std::string one; std::getline(all, one);) EXPECT_TRUE(std::regex_match(one, line)) << one;
}

TEST(LaplaceProgress, IsOneLineOnATerminal) {
    auto const r = run_on_terminal(on_ranks(2, {"env", "PROGRESS_EVERY=0", LAPLACE, "-n", "400", "-s", "800"}));
    ASSERT_EQ(r.status, 0) << r.out;
    EXPECT_THAT(r.out, HasSubstr("\r\x1b[Kstep "));
    auto const last = r.out.rfind("s to go");
    ASSERT_NE(last, std::string::npos);
    EXPECT_EQ(r.out.substr(last + 7, 4), "\r\x1b[K") << "the line is not cleared";
    EXPECT_EQ(count(r.out, "\u2580"), 64 * 32);
}

TEST(LaplaceUsage, UnknownWordsAreRefused) {
    auto const r = run({LAPLACE, "-n", "20", "--picure", "x.png"});
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, HasSubstr("\"--picure\" is not understood"));
    EXPECT_EQ(run({LAPLACE, "-n", "many"}).status, 1);
    EXPECT_EQ(run({LAPLACE, "-n"}).status, 1);
    auto const help = run(on_ranks(2, {LAPLACE, "--help"}));
    EXPECT_EQ(help.status, 0);
    EXPECT_EQ(count(help.out, "usage:"), 1);
}

TEST(HeatColours, GrowLighterWithTemperature) {
    auto const lightness = [](examples::rgb c) { return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue; };
    for (int t = 1; t <= 50; ++t)
        EXPECT_GT(lightness(examples::heat_colour(t / 50.0)), lightness(examples::heat_colour((t - 1) / 50.0))) << t;
    EXPECT_EQ(examples::heat_colour(-1), examples::heat_colour(0));
    EXPECT_EQ(examples::heat_colour(2), examples::heat_colour(1));
}

} // namespace
} // namespace sode::internal::testing
