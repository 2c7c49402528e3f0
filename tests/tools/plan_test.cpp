// SPDX-License-Identifier: Apache-2.0
// `sode plan`: what it says of a machine that is not here, and what it refuses.
#include "support/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> plan_of(std::string const& machines) {
    return {"plan",   "--profile",   SODE_SOURCE_DIR "/tests/model/p0_machine.json",
            "--size", "128x128x256", "--machines",
            machines, "--element",   "4"};
}

TEST(Plan, GivesEachFaceItsNetwork) {
    result const r = sode(plan_of("2x4x1"));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("blocks of 64 x 32 x 256"), ContainsRegex("0-  +contiguous +1 x 32768 B  infiniband"),
                             ContainsRegex("1\\+  +block-strided +64 x 1024 B  tca"),
                             ContainsRegex("0- 0\\+ by infiniband, 1- 1\\+ by tca.*chosen"), HasSubstr("us  tca alone"),
                             HasSubstr("us  infiniband alone")));
}

TEST(Plan, TakesTheBuiltInMachineToo) {
    result const r = sode({"plan", "--profile", "default", "--size", "64x64", "--machines", "4x1", "--halo", "2", "--periodic"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("it lists no networks"), ContainsRegex("0\\+  +contiguous +1 x 1024 B"),
                             HasSubstr("network alone"), Not(HasSubstr("runner-up"))));
    EXPECT_THAT(sode({"plan", "--profile", "default", "--size", "64", "--machines", "1"}).out, HasSubstr("nothing travels"));
    EXPECT_THAT(sode({"plan", "--profile", "default", "--size", "64", "--nodes", "1"}).out, HasSubstr("nothing travels"))
        << "its old name";
}

// The time of a step is the sum of what the line above says and of the exchange.
TEST(Plan, AddsUpSteps) {
    auto words = plan_of("2x8x1");
    words.insert(words.end(), {"--steps", "himeno", "--point", "0.5"});
    result const r = sode(words);
    EXPECT_EQ(r.status, 0) << r.err;
    double points = 0, ns = 0, computing = 0, barrier = 0, allreduce = 0;
    auto const said = r.out.find("steps of himeno");
    ASSERT_NE(said, std::string::npos) << r.out;
    ASSERT_EQ(std::sscanf(r.out.c_str() + said,
                          "steps of himeno: %lf points at %lf ns take %lf us, the barrier %lf us, the allreduce %lf us", &points,
                          &ns, &computing, &barrier, &allreduce),
              5);
    EXPECT_EQ(points, 128.0 * 128 * 256 / 16);
    EXPECT_NEAR(computing, points * 0.5e-3, 0.1);
    EXPECT_GT(barrier, 1);
    EXPECT_GT(allreduce, 1);
    double step = 0, exchange = 0, gain = 0;
    auto const row = r.out.rfind('\n', r.out.find("infiniband alone", said));
    ASSERT_EQ(std::sscanf(r.out.c_str() + row, "%lf %lf %lf infiniband alone", &step, &exchange, &gain), 3);
    EXPECT_NEAR(exchange, 78.1, 0.1);
    EXPECT_NEAR(step, computing + barrier + allreduce + exchange, 0.3);
    EXPECT_NEAR(gain, 16 * computing / step, 0.02);
    EXPECT_THAT(r.out, HasSubstr("contiguous faces by infiniband, others by tca"));

    words.insert(words.end(), {"--no-barrier"});
    EXPECT_THAT(sode(words).out, HasSubstr("the barrier 0.0 us"));
    std::replace(words.begin(), words.end(), std::string{"himeno"}, std::string{"laplace"});
    EXPECT_THAT(sode(words).out, HasSubstr("the barrier 0.0 us, the allreduce 0.0 us"));
}

// Few points a machine, and messages that take long: the exchange is divided by the steps at a time.
TEST(Plan, SaysHowManyStepsAtATime) {
    result const r =
        sode({"plan", "--profile", "default", "--size", "1024x64", "--machines", "16x1", "--point", "0.5", "--tiles", "16"});
    EXPECT_EQ(r.status, 0) << r.err;
    auto const row = [&](int k) {
        std::array<double, 7> f{};
        auto const at = r.out.find(k < 10 ? "\n      " + std::to_string(k) + "  " : "\n     " + std::to_string(k) + "  ",
                                   r.out.find("time steps per exchange"));
        EXPECT_NE(at, std::string::npos) << r.out;
        if (at != std::string::npos) {
            EXPECT_EQ(
                std::sscanf(r.out.c_str() + at, "%*d %lf %lf %lf %lf %lf %lf %lf", &f[0], &f[1], &f[2], &f[3], &f[4], &f[5], &f[6]),
                7);
        }
        return f;
    };
    auto const one = row(1), sixteen = row(16);
    EXPECT_EQ(one[0], 2);
    EXPECT_EQ(sixteen[0], 0.125);
    EXPECT_EQ(one[2], 64 * 64);
    EXPECT_EQ(sixteen[2], 64 * (64 + 15));
    EXPECT_LT(sixteen[4], one[4] / 4);
    EXPECT_NEAR(sixteen[5], sixteen[3] + sixteen[4], 0.11);
    EXPECT_GT(sixteen[6], 1.2) << r.out;
    EXPECT_THAT(r.out, HasSubstr("(best)"));
    EXPECT_THAT(r.out, HasSubstr("ranks on one machine may exchange these points instead"));
    EXPECT_THAT(
        sode({"plan", "--profile", "default", "--size", "40x64", "--machines", "8x1", "--point", "0.5", "--tiles", "16"}).out,
        HasSubstr("the smallest block has room for the halo of at most 5 time steps"));
}

TEST(Plan, RefusesWhatMakesNoSense) {
    auto const complaint = [](std::vector<std::string> words) {
        words.insert(words.begin(), {"plan", "--profile", "default"});
        result const r = sode(words);
        EXPECT_EQ(r.status, 2);
        return r.err;
    };
    EXPECT_THAT(complaint({"--size", "64x", "--machines", "2"}), AllOf(HasSubstr("--size 64x"), HasSubstr("128x128x256")));
    EXPECT_THAT(complaint({"--size", "64x0", "--machines", "2x1"}), HasSubstr("--size 64x0"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "99999999999"}), HasSubstr("--machines 99999999999"));
    EXPECT_THAT(complaint({"--size", "64x64", "--machines", "4"}), HasSubstr("the array has 2 dimensions, but --machines has 1"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "65"}), HasSubstr("wider than a block of 0"));
    EXPECT_THAT(complaint({"--size", "9000000", "--machines", "9000000"}), HasSubstr("too large"));
    EXPECT_THAT(complaint({"--machines", "4"}), HasSubstr("--size is missing"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--halo", "0"}), HasSubstr("--halo"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--steps", "lu", "--point", "1"}),
                HasSubstr("there is no program \"lu\""));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--steps", "himeno"}), HasSubstr("the time of one point"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--point", "1"}), HasSubstr("--steps"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--tiles", "8"}), HasSubstr("--tiles needs the time of one point"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--tiles", "8", "--point", "1", "--cached-point", "2"}),
                HasSubstr("--cached-point 2 is too large"));
    EXPECT_THAT(sode({"plan", "--profile", "/none.json", "--size", "64", "--machines", "2"}).err, HasSubstr("/none.json"));
}

std::vector<std::string> collective(std::vector<std::string> const& more) {
    std::vector<std::string> words{"plan", "--profile", "default", "--collective"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(PlanOfCollective, RanksMayShareCores) {
    auto const of = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"barrier", "--machines", "1", "--ranks", "8"});
        return sode(collective(more));
    };
    EXPECT_EQ(of({"--cores", "8"}).out, of({}).out) << "a core for each rank";
    EXPECT_NE(of({"--cores", "2"}).out, of({}).out);
    EXPECT_THAT(of({"--cores", "2", "--engine", "thread"}).err,
                HasSubstr("8 ranks on 2 cores can only be predicted for engine inline"));
    EXPECT_THAT(of({"--cores", "2"}).out, HasSubstr("2 cores on each machine"));
    for (std::string const wrong : {"0", "-1", "some"}) EXPECT_NE(of({"--cores", wrong}).status, 0) << wrong;
    EXPECT_NE(sode({"plan", "--cores", "2"}).status, 0) << "of a halo, each rank has a core";
}

TEST(PlanOfCollective, HasARowForEachAlgorithmThatCan) {
    result const r = sode(collective({"allreduce", "--machines", "4x4x4", "--network", "torus", "--bytes", "1K"}));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("allreduce of 64 ranks on 64 machines, torus of 4 x 4 x 4"), HasSubstr("over-machines"),
                             ContainsRegex("recursive-doubling +[0-9.]+ +[0-9.]+ +384 +393216"),
                             ContainsRegex("k-nomial +[0-9.]+ +[0-9.]+ +126 "), HasSubstr("(the model's choice)")));
    EXPECT_THAT(sode(collective({"broadcast", "--machines", "4", "--ranks", "4", "--algorithm", "k-nomial"})).out,
                AllOf(HasSubstr("16 ranks on 4 machines"), Not(HasSubstr("over-machines"))));
}

// Of equal blocks: Bruck's algorithm by several radices, beside messages of pairs.
TEST(PlanOfCollective, ComparesBruckWithMessagesOfPairs) {
    for (auto const* kind : {"alltoall", "allgather"}) {
        result const r = sode(collective({kind, "--machines", "8", "--network", "crossbar", "--ranks", "2", "--bytes", "8"}));
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_THAT(r.out, AllOf(HasSubstr("16 ranks on 8 machines"), ContainsRegex("mpi +[0-9.]+ +[0-9.]+ +224 "),
                                 ContainsRegex("mpi-machine +[0-9.]+ +[0-9.]+ +56 "),
                                 ContainsRegex("bruck:2[a-z0-9 ]* +[0-9.]+ +[0-9.]+ +(24|48) "),
                                 ContainsRegex("bruck:[^\n]*[(]the model's choice")));
        result const forced =
            sode(collective({kind, "--machines", "8", "--network", "crossbar", "--ranks", "2", "--algorithm", "bruck:3:2"}));
        EXPECT_THAT(forced.out, AllOf(HasSubstr("bruck:3 by 2 leaders"), Not(HasSubstr("bruck:2")), Not(HasSubstr("mpi"))));
    }
    auto const complaint = [](std::string const& algorithm) {
        return sode(collective({"alltoall", "--machines", "4", "--network", "crossbar", "--algorithm", algorithm})).err;
    };
    EXPECT_THAT(complaint("ring"), AllOf(HasSubstr("alltoall of 8 bytes cannot use algorithm ring"), HasSubstr("bruck:4:2")));
    EXPECT_THAT(complaint("bruck:2:2"), HasSubstr("a machine has only 1 rank"));
    EXPECT_THAT(sode(collective({"allreduce", "--machines", "4", "--algorithm", "bruck"})).err,
                HasSubstr("bruck is for allgather and alltoall only"));
    EXPECT_THAT(sode(collective({"allreduce", "--machines", "8x8", "--algorithm", "ring", "--bytes", "8"})).err,
                HasSubstr("this number of bytes"));
}

TEST(PlanOfCollective, RepeatsTheAmountThatItDoesNotUnderstand) {
    auto const complaint = [](std::string const& bytes) {
        return sode(collective({"allreduce", "--machines", "4", "--bytes", bytes})).err;
    };
    EXPECT_THAT(complaint("4M..1K"), HasSubstr("--bytes 4M..1K is invalid (the first amount is larger than the last)"));
    EXPECT_THAT(complaint("4X"), HasSubstr("--bytes 4X is invalid (the value is not a number of bytes)"));
}

TEST(PlanOfCollective, LeavesOutWhatIsTooMuch) {
    result const r = sode(collective({"broadcast", "--machines", "20x20x20", "--network", "torus"}));
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, ContainsRegex("k-nomial +[0-9.]+ +[0-9.]+ +7999 "));
    EXPECT_THAT(
        sode(collective({"allreduce", "--machines", "10x10x100", "--network", "torus", "--algorithm", "over-machines"})).out,
        ContainsRegex("not evaluated \\(its plans have [0-9]e\\+08 steps\\)"));
}

TEST(PlanOfCollective, WritesATimeline) {
    auto const file = ::testing::TempDir() + "plan_timeline.json";
    EXPECT_EQ(sode(collective({"barrier", "--machines", "4", "--timeline", file})).status, 0);
    std::ifstream in{file};
    auto const all = nlohmann::json::parse(in);
    EXPECT_GT(all.at("traceEvents").size(), 16U);
    std::filesystem::remove(file);
}

TEST(PlanOfCollective, RefusesWhatMakesNoSense) {
    auto const complaint = [](std::vector<std::string> const& words) {
        result const r = sode(collective(words));
        EXPECT_EQ(r.status, 2);
        return r.err;
    };
    EXPECT_THAT(complaint({"allreduec", "--machines", "4"}),
                AllOf(HasSubstr("no collective \"allreduec\""), HasSubstr("did you mean allreduce?")));
    EXPECT_THAT(complaint({"barrier", "--machines", "4", "--network", "hypercube"}),
                HasSubstr("torus, fat-tree, dragonfly and crossbar"));
    EXPECT_THAT(complaint({"barrier", "--machines", "4x4", "--network", "dragonfly"}),
                HasSubstr("a dragonfly cannot have 2 extents"));
    EXPECT_THAT(complaint({"barrier", "--machines", "2000x2000"}), HasSubstr("4000000 ranks are too many"));
    EXPECT_THAT(complaint({"barrier", "--machines", "4", "--algorithm", "k-nomial"}), HasSubstr("k-nomial"));
    result const unwritten = sode(collective({"barrier", "--machines", "4", "--timeline", "/none/here.json"}));
    EXPECT_EQ(unwritten.status, 1); // the words made sense
    EXPECT_THAT(unwritten.err, HasSubstr("/none/here.json cannot be written"));
}

} // namespace
} // namespace sode::internal::testing
