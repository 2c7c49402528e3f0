// SPDX-License-Identifier: Apache-2.0
// `sode plan`: what it says of a machine that is not here, and what it refuses.
#include "support/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
    EXPECT_THAT(r.out, AllOf(HasSubstr("no networks are listed"), ContainsRegex("0\\+  +contiguous +1 x 1024 B"),
                             HasSubstr("network alone"), Not(HasSubstr("runner-up"))));
    EXPECT_THAT(sode({"plan", "--profile", "default", "--size", "64", "--machines", "1"}).out, HasSubstr("nothing travels"));
    EXPECT_THAT(sode({"plan", "--profile", "default", "--size", "64", "--nodes", "1"}).out, HasSubstr("nothing travels"))
        << "its old name";
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
    EXPECT_THAT(complaint({"--size", "64x64", "--machines", "4"}), HasSubstr("2 dimensions on 1"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "65"}), HasSubstr("wider than a block of 0"));
    EXPECT_THAT(complaint({"--size", "9000000", "--machines", "9000000"}), HasSubstr("too large"));
    EXPECT_THAT(complaint({"--machines", "4"}), HasSubstr("--size is missing"));
    EXPECT_THAT(complaint({"--size", "64", "--machines", "2", "--halo", "0"}), HasSubstr("--halo"));
    EXPECT_THAT(sode({"plan", "--profile", "/none.json", "--size", "64", "--machines", "2"}).err, HasSubstr("/none.json"));
}

} // namespace
} // namespace sode::internal::testing
