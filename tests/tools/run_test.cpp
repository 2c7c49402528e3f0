// SPDX-License-Identifier: Apache-2.0
// `sode run`: identity, places, input, output, exit statuses.
#include "base/processors.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

namespace sode::internal::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Descriptors of a program that was not launched: the standard ones, that of the directory that counts them, and what the tests
// were started with. A rank must not have one more.
std::string usual_descriptors() {
    std::string const out = process{{RANK_PROGRAM, "identity"}}.wait().out;
    auto const at = out.find("fds ");
    return out.substr(at, out.find(" cores") - at);
}

class Run : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, Run, ::testing::Values(1, 2, 3, 4, 8));

TEST_P(Run, GivesEveryRankItsPlace) {
    result const r = process{ranks(GetParam(), {"identity"})}.wait();
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(r.err, "");
    for (int rank = 0; rank < GetParam(); ++rank)
        EXPECT_EQ(count(r.out, fmt::format("{} of {} by sode run {}", rank, GetParam(), usual_descriptors())), 1) << r.out;
}

TEST_P(Run, LetsRanksTalk) {
    EXPECT_EQ((process{ranks(GetParam(), {"barriers", "200"})}.wait().status), 0);
}

TEST(RunOf, HundredsOfRanksWorksToo) {
    result const r = process{ranks(200, {"--prefix", "identity"})}.wait();
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, " of 200 by sode run"), 200);
    EXPECT_THAT(r.out, HasSubstr("[199] 199 of 200"));
}

TEST(RunOf, AProgramThatKnowsNothingOfSode) {
    result const r = sode({"run", "-n", "3", "echo", "-n", "x"});
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(r.out, "xxx");
}

TEST(RunOf, TheSameProgramWithoutTheLauncherIsAlone) {
    result const r = process{{RANK_PROGRAM, "identity"}}.wait();
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.out, HasSubstr("0 of 1 by alone"));
}

TEST(RunOf, TwoProgramsOfOneRankIsRefused) {
    result const r = sode({"run", "-n", "1", "sh", "-c", RANK_PROGRAM " identity; " RANK_PROGRAM " identity"});
    EXPECT_EQ(r.status, 70);
    EXPECT_EQ(count(r.out, "0 of 1 by sode run"), 1);
    EXPECT_THAT(r.err, HasSubstr("another process has already joined as this rank"));
}

TEST(RunOf, AJobInAJob) {
    result const r = sode({"run", "-n", "2", SODE_COMMAND, "run", "-n", "3", RANK_PROGRAM, "identity"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "2 of 3 by sode run " + usual_descriptors()), 2) << r.out;
}

// --- places ---

std::vector<std::string> cores_of(std::string const& output) {
    std::vector<std::string> lists;
    std::istringstream text{output};
    for (std::string line; std::getline(text, line);) lists.push_back(line.substr(line.find("cores ") + 6));
    std::sort(lists.begin(), lists.end());
    return lists;
}

TEST(RunCores, SpreadsRanksAsLongAsEachGetsACore) {
    auto const usable = processor_set::of_this_thread();
    if (usable.count() < 2) GTEST_SKIP() << "there is only one processor";
    auto const two = cores_of(process{ranks(2, {"identity"})}.wait().out);
    ASSERT_EQ(two.size(), 2U);
    EXPECT_NE(two[0], two[1]);
    auto const many = cores_of(process{ranks(usable.count() + 1, {"identity"})}.wait().out);
    EXPECT_EQ(many.front(), usable.to_string());
    EXPECT_EQ(many.back(), usable.to_string());
}

TEST(RunThreads, GetACoreEach) {
    auto const usable = processor_set::of_this_thread();
    if (usable.count() < 2) GTEST_SKIP() << "there is only one processor";
    auto const both = cores_of(process{ranks(1, {"--threads=2", "identity"})}.wait().out);
    ASSERT_EQ(both.size(), 1U);
    EXPECT_EQ(processor_set::parse(both[0]).count(), 2) << both[0];
    auto const listed = fmt::format("{},{}", usable.numbers()[0], usable.numbers()[1]);
    auto const named = cores_of(process{ranks(1, {"--threads=2", "--cores=" + listed, "identity"})}.wait().out);
    EXPECT_EQ(named, std::vector<std::string>{processor_set::parse(listed).to_string()});
    EXPECT_EQ((process{ranks(1, {"--threads=0", "identity"})}.wait().status), 2);
}

TEST(RunCores, ObeysAList) {
    auto const usable = processor_set::of_this_thread().numbers();
    std::string const last = std::to_string(usable.back());
    auto const places = cores_of(process{ranks(3, {"--cores=" + last, "identity"})}.wait().out);
    EXPECT_EQ(places, std::vector<std::string>(3, last));
}

TEST(RunCores, LeavesRanksAloneOnRequest) {
    auto const places = cores_of(process{ranks(1, {"--cores=none", "identity"})}.wait().out);
    EXPECT_EQ(places, std::vector<std::string>{processor_set::of_this_thread().to_string()});
}

TEST(RunCores, RefusesProcessorsThatCannotBeUsed) {
    result const r = process{ranks(1, {"--cores=9999", "identity"})}.wait();
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, HasSubstr("processor 9999 cannot be used"));
    EXPECT_EQ((process{ranks(1, {"--cores=first", "identity"})}.wait().status), 2);
}

// --- input and output ---

TEST(RunInput, GoesToRankZeroOnly) {
    result const r = process{ranks(3, {"echo"}), "one\ntwo\n"}.wait();
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(count(r.out, "rank 0 read one\n"), 1);
    EXPECT_EQ(count(r.out, "rank 0 read two\n"), 1);
    EXPECT_EQ(count(r.out, " read "), 2);
    EXPECT_EQ(count(r.out, "end of input"), 3);
}

TEST(RunPrefix, KeepsLinesWhole) {
    result const r = process{ranks(4, {"--prefix", "lines", "3000"})}.wait();
    EXPECT_EQ(r.status, 0);
    std::map<std::string, int> next;
    for (std::string const* const stream : {&r.out, &r.err}) {
        std::istringstream text{*stream};
        for (std::string line; std::getline(text, line);) {
            std::string const rank = line.substr(0, 4);
            int const i = next[rank]++;
            ASSERT_EQ(line, fmt::format("{}line {} {}", rank, i, std::string(static_cast<std::size_t>(i % 200), 'x')));
        }
    }
    EXPECT_EQ(next, (std::map<std::string, int>{{"[0] ", 3000}, {"[1] ", 3000}, {"[2] ", 3000}, {"[3] ", 3000}}));
    EXPECT_THAT(r.out, Not(HasSubstr("[1]")));
    EXPECT_THAT(r.err, Not(HasSubstr("[0]")));
}

TEST(RunPrefix, EndsALineThatTheProgramDoesNot) {
    result const r = sode({"run", "-n", "1", "--prefix", "printf", "a\\nb"});
    EXPECT_EQ(r.out, "[0] a\n[0] b\n");
}

TEST(RunPrefix, DoesNotOutliveItsReader) {
    process p{{"sh", "-c", SODE_COMMAND " run -n 2 --prefix yes | head -n 3; echo done"}};
    result const r = p.wait();
    EXPECT_EQ(count(r.out, "] y\n"), 3);
    EXPECT_THAT(r.out, HasSubstr("done"));
}

// --- exit statuses ---

TEST(RunStatus, IsThatOfTheFailingRank) {
    result const r = process{ranks(3, {"exits", "1", "42"})}.wait();
    EXPECT_EQ(r.status, 42);
    EXPECT_THAT(r.err, HasSubstr("sode: error: rank 1 exited with status 42\n"));
    EXPECT_EQ(count(r.err, "exited with"), 3) << "consequences are not news: " << r.err;
    EXPECT_EQ(count(r.err, "rank 1 terminated before"), 2) << r.err;
}

TEST(RunStatus, IsThatOfTheSignal) {
    result const r = process{ranks(2, {"dies", "1", "9"})}.wait();
    EXPECT_EQ(r.status, 128 + 9);
    EXPECT_THAT(r.err, HasSubstr("sode: error: rank 1 was killed by signal 9 (Killed)\n"));
    EXPECT_THAT(r.err, HasSubstr("rank 1 terminated before it reached a barrier (killed by signal 9 (Killed))"));
}

TEST(RunStatus, OfARankThatLeftEarlyIsThatOfThoseWhoWaited) {
    result const r = process{ranks(2, {"exits", "1", "0"})}.wait();
    EXPECT_EQ(r.status, 72) << r.err;
    EXPECT_THAT(r.err, HasSubstr("rank 1 terminated before it reached a barrier (exited with status 0)"));
}

TEST(RunStatus, OfAProgramThatIsNotThere) {
    result const r = sode({"run", "-n", "2", "./no-such-program"});
    EXPECT_EQ(r.status, 127);
    EXPECT_EQ(r.err, "sode: error: ./no-such-program cannot be started (No such file or directory)\n  check the path of the "
                     "program, and build the program first\n");
    result const bare = sode({"run", "-n", "2", "no-such-program"});
    EXPECT_EQ(bare.status, 127);
    EXPECT_THAT(bare.err, HasSubstr("\n  write ./no-such-program if the program is in this folder\n"));
}

TEST(RunStatus, OfAProgramThatIsNone) {
    result const r = sode({"run", "-n", "2", "/etc/passwd"});
    EXPECT_EQ(r.status, 126);
    EXPECT_EQ(r.err, "sode: error: /etc/passwd cannot be started (Permission denied)\n"
                     "  pass a program; if the file is a program, make the file executable: chmod +x /etc/passwd\n");
}

TEST(RunPrefix, TellsThatOutputIsLost) {
    result const r = process{{"sh", "-c", SODE_COMMAND " run -n 2 --prefix echo x > /dev/full"}}.wait();
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, HasSubstr("sode: error: output of the ranks is lost (No space left on device)\n"));
}

TEST(RunTimeout, MayBeLongerThanAClockCounts) {
    for (std::string const seconds : {"1e9", "1e10", "1e300"})
        EXPECT_EQ(sode({"run", "-n", "1", "--timeout", seconds, "sleep", "0.01"}).status, 0) << seconds;
}

TEST(RunTimeout, EndsTheJob) {
    result const r = sode({"run", "-n", "2", "--timeout", "0.2", "sleep", "30"});
    EXPECT_EQ(r.status, 124);
    EXPECT_THAT(r.err, HasSubstr("the job has not ended after 0.2 s"));
    EXPECT_LT(r.seconds, 30) << "before its ranks would";
}

} // namespace
} // namespace sode::internal::testing
