// SPDX-License-Identifier: Apache-2.0
// examples/himeno: the pressure is that of plain C, bit for bit, however the ranks are spread.
#include "run.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;

struct problem {
    std::string size, steps;
    std::size_t points;
    friend bool operator<(problem const& a, problem const& b) { return a.size < b.size; }
};
// An odd and an even number of steps: the result is in either half of the buffered array.
problem const smallest{"XS", "7", 32 * 32 * 64}, small{"S", "4", 64 * 64 * 128};

struct solution {
    std::string pressure;
    double gosa = 0;
};

solution const& plain(problem const& p) {
    static std::map<problem, solution> known;
    auto& s = known[p];
    if (s.pressure.empty()) {
        scratch const files;
        auto const file = files / "pressure";
        auto const r = run({EXACT_HIMENO_SERIAL, "-g", p.size, "-s", p.steps, "--dump", file});
        EXPECT_EQ(r.status, 0) << r.err;
        s = {contents(file), std::stod(line_of(r.out, "gosa"))};
        EXPECT_EQ(s.pressure.size(), p.points * sizeof(float));
        EXPECT_GT(s.gosa, 1e-4);
    }
    return s;
}

struct spread {
    int ranks;
    std::string nodes;
};

std::vector<spread> all_spreads() {
    std::vector<spread> list;
    for (int const ranks : {1, 2, 4, 8})
        for (int a = 1; a <= ranks; ++a)
            for (int b = 1; a * b <= ranks; ++b)
                if (ranks % (a * b) == 0) list.push_back({ranks, fmt::format("{}x{}x{}", a, b, ranks / (a * b))});
    return list;
}

class Himeno : public ::testing::TestWithParam<spread> {
protected:
    static void expect_like_plain(problem const& p) {
        scratch const files;
        auto const file = files / "pressure";
        auto const& [ranks, nodes] = GetParam();
        std::vector<std::string> const program{EXACT_HIMENO, "-g", p.size, "-s", p.steps, "-d", nodes, "--dump", file};
        std::vector<std::string> tiles{"env", "SODE_TILES=3"};
        tiles.insert(tiles.end(), program.begin(), program.end());
        tiles.emplace_back("--tiles");
        for (auto const& words : {program, tiles}) {
            auto const r = run(on_ranks(ranks, words));
            ASSERT_EQ(r.status, 0) << r.err;
            EXPECT_TRUE(contents(file) == plain(p).pressure) << "the pressure differs";
            EXPECT_NEAR(std::stod(line_of(r.out, "gosa")) / plain(p).gosa, 1, 1e-6);
        }
    }
};
INSTANTIATE_TEST_SUITE_P(Decompositions, Himeno, ::testing::ValuesIn(all_spreads()), [](auto const& one) {
    auto name = one.param.nodes;
    std::replace(name.begin(), name.end(), 'x', '_');
    return name;
});

TEST_P(Himeno, SmallestGridIsThatOfPlainC) {
    expect_like_plain(smallest);
}
TEST_P(Himeno, SmallGridIsThatOfPlainC) {
    expect_like_plain(small);
}

TEST(HimenoChecks, FindNothing) {
    for (int const ranks : {1, 2, 4, 6}) {
        auto const r = run(on_ranks(ranks, {"env", "SODE_CHECK=all", HIMENO, "-g", "XS", "-s", "3"}));
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_EQ(r.err, "");
    }
}

TEST(HimenoOutput, SpeedIsOperationsByTime) {
    auto const r = run(on_ranks(2, {HIMENO, "-g", "S", "-s", "50"}));
    ASSERT_EQ(r.status, 0) << r.err;
    double mflops = 0, milliseconds = 0;
    auto const at = r.out.find("\n", r.out.find("gosa"));
    ASSERT_EQ(std::sscanf(r.out.c_str() + at, " %lf MFLOPS %lf ms a step", &mflops, &milliseconds), 2) << r.out;
    EXPECT_NEAR(mflops * 1e3 * milliseconds / (34.0 * 62 * 62 * 126), 1, 0.01);
    EXPECT_THAT(r.out, HasSubstr("halo of \"pressure\""));
}

TEST(HimenoUsage, MistakesAreNamed) {
    auto const complaint = [](int ranks, std::vector<std::string> words) {
        words.insert(words.begin(), HIMENO);
        auto const r = run(on_ranks(ranks, words));
        EXPECT_EQ(r.status, 1);
        return r.err;
    };
    EXPECT_THAT(complaint(1, {"-g", "XXL"}), HasSubstr("there is no Himeno grid \"XXL\""));
    for (auto const* const nodes : {"2x1", "2x1x1x1", "2x1x", "0x1x1", "axbxc", "2x1x1 "})
        EXPECT_THAT(complaint(1, {"-d", nodes}), HasSubstr("is not a grid of ranks")) << nodes;
    EXPECT_THAT(complaint(2, {"-d", "3x1x1"}), HasSubstr("sode: error: "));
    EXPECT_THAT(complaint(2, {"-g", "XS", "-s", "1", "--dump", "/nowhere/p"}), HasSubstr("cannot write /nowhere/p"));
}

} // namespace
} // namespace sode::internal::testing
