// SPDX-License-Identifier: Apache-2.0
// `sode run`: errors of many ranks can be read.
#include "support/process.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// How often each rank's message is told, whatever it is merged with: that depends on how late ranks are.
std::map<int, int> told_by(std::string const& errors, std::string const& problem) {
    std::map<int, int> times;
    std::regex const line{"sode: error: ranks? ([0-9,-]+): " + problem + " \\(a reason\\)\n  a suggestion\n"};
    for (std::sregex_iterator at{errors.begin(), errors.end(), line}, end; at != end; ++at) {
        std::istringstream list{(*at)[1]};
        for (std::string part; std::getline(list, part, ',');) {
            int first = 0, last = 0;
            if (std::sscanf(part.c_str(), "%d-%d", &first, &last) < 2) last = first;
            for (int r = first; r <= last; ++r) ++times[r];
        }
    }
    return times;
}

std::map<int, int> once_each(std::vector<int> const& ranks) {
    std::map<int, int> all;
    for (int const r : ranks) all[r] = 1;
    return all;
}

TEST(RunMessages, EveryRanksErrorIsToldOnce) {
    for (std::string const how : {"return", "throw"}) {
        result const r = process{ranks(7, {"complains", "5", how})}.wait();
        EXPECT_EQ(r.status, how == "throw" ? 128 + 6 : 3);
        EXPECT_EQ(told_by(r.err, "a problem"), once_each({0, 1, 2, 3, 4, 6})) << r.err;
        EXPECT_EQ(told_by(r.err, "another problem"), once_each({5})) << r.err;
        EXPECT_THAT(r.err, Not(HasSubstr("terminate called"))) << "an error that nobody catches is told alike";
    }
}

TEST(RunMessages, LastWordsComeBeforeTheDeath) {
    result const r = process{ranks(3, {"complains", "1", "kill"})}.wait();
    EXPECT_EQ(told_by(r.err, "another problem"), once_each({1})) << r.err;
    auto const death = r.err.find("sode: error: rank 1 was killed"); // not told if another rank has left before
    EXPECT_TRUE(death == std::string::npos || r.err.find("another problem") < death) << r.err;
}

TEST(RunMessages, ARankAloneHasNoNumber) {
    result const r = process{ranks(1, {"complains", "5", "return"})}.wait();
    EXPECT_THAT(r.err, ::testing::StartsWith("sode: error: a problem (a reason)\n  a suggestion\n"));
}

TEST(RunMessages, WithPrefixRanksStayApart) {
    result const r = process{ranks(3, {"--prefix", "complains", "5", "return"})}.wait();
    for (int rank = 0; rank < 3; ++rank)
        EXPECT_EQ(count(r.err, fmt::format("[{0}] sode: error: rank {0}: a problem (a reason)\n", rank)), 1) << r.err;
}

TEST(RunMessages, OtherWordsPassAsTheyAre) {
    result const r = sode({"run", "-n", "2", "sh", "-c", "printf 'half' >&2; sleep 0.05; printf '\\r a line\\n' >&2"});
    EXPECT_EQ(count(r.err, "half"), 2);
    EXPECT_EQ(count(r.err, "\r a line\n"), 2);
}

} // namespace
} // namespace sode::internal::testing
