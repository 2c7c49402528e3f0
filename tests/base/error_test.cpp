// SPDX-License-Identifier: Apache-2.0
// The form of messages: problem (why), the suggestion on a line of its own, the rank in front.
#include "base/byte_text.hpp"
#include "base/message.hpp"
#include "base/nearest.hpp"
#include "base/system_error.hpp"
#include "base/warn.hpp"

#include <cerrno>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>

namespace sode::internal {
namespace {

class Error : public ::testing::Test {
protected:
    Error() { speak_as(speaker::process, 0, 1); } // whatever job a test before has joined
};

TEST_F(Error, ReadsProblemWhySuggestion) {
    error const e{error_kind::usage, "halo 5 is too wide", "the smallest block has 3", "use fewer ranks"};
    EXPECT_STREQ(e.what(), "sode: error: halo 5 is too wide (the smallest block has 3)\n  use fewer ranks");
    EXPECT_EQ(e.kind(), error_kind::usage);
}

TEST_F(Error, LeavesOutWhatIsEmpty) {
    EXPECT_STREQ((error{error_kind::internal, "problem", "", "do it"}.what()), "sode: error: problem\n  do it");
    EXPECT_STREQ((error{error_kind::internal, "problem", "why", ""}.what()), "sode: error: problem (why)");
}

TEST_F(Error, OfASystemCallSaysWhatErrnoSays) {
    errno = ENOENT;
    error const e = system_error("it cannot be opened", "open", "look for it");
    EXPECT_STREQ(e.what(), "sode: error: it cannot be opened (open: No such file or directory)\n  look for it");
    EXPECT_EQ(e.kind(), error_kind::environment);
}

TEST_F(Error, NamesTheRankOfTheProcessOrOfTheThread) {
    auto const text = [] { return std::string{error{error_kind::peer, "problem", "", ""}.what()}; };
    speak_as(speaker::process, 3, 8);
    EXPECT_EQ(text(), "sode: error: rank 3: problem");
    std::string of_thread;
    std::string of_helper;
    std::jthread{[&] {
        speak_as(speaker::thread, 5, 8);
        of_thread = text();
        std::jthread{[&] { of_helper = text(); }}.join();
    }}.join();
    EXPECT_EQ(of_thread, "sode: error: rank 5: problem");
    EXPECT_EQ(of_helper, "sode: error: rank 3: problem");
    speak_as(speaker::process, 0, 1);
    EXPECT_EQ(text(), "sode: error: problem") << "a rank alone has no number";
}

TEST_F(Error, MayQuoteAnother) {
    speak_as(speaker::process, 3, 8);
    error const first{error_kind::usage, "problem", "why", "do it"};
    EXPECT_EQ(quoted(first.what()), "problem (why)\n  do it");
    EXPECT_EQ(quoted("no text of ours"), "no text of ours");
    speak_as(speaker::process, 1, 8); // another rank says it again
    EXPECT_STREQ((error{error_kind::usage, first.what(), "", ""}.what()), "sode: error: rank 1: problem (why)\n  do it");
    EXPECT_STREQ((error{error_kind::usage, "a file is missing", first.what(), ""}.what()),
                 "sode: error: rank 1: a file is missing (problem (why); do it)");
    speak_as(speaker::process, 0, 1);
}

std::string told(std::function<void()> const& telling) {
    ::testing::internal::CaptureStderr();
    telling();
    return ::testing::internal::GetCapturedStderr();
}

TEST_F(Error, AndWarningsAreToldInOneForm) {
    EXPECT_EQ(told([] { warn("problem", "why", "do it"); }), "sode: warning: problem (why)\n  do it\n");
    EXPECT_EQ(told([] { tell(error{error_kind::usage, "problem", "why", "do it"}); }), "sode: error: problem (why)\n  do it\n");
    EXPECT_EQ(told([] { tell(std::runtime_error{"out of ink"}); }), "sode: error: out of ink\n");
}

TEST_F(Error, ThatCannotBeThrownIsNoSuccess) {
    EXPECT_EXIT((fail_at_exit(), std::exit(0)), ::testing::ExitedWithCode(1), "");
    EXPECT_EXIT((fail_at_exit(), std::exit(7)), ::testing::ExitedWithCode(7), "");
    // What was registered before is done all the same.
    EXPECT_EXIT((std::atexit([] { warn("after all"); }), fail_at_exit(), std::exit(0)), ::testing::ExitedWithCode(1), "after all");
}

TEST(Nearest, FindsMisspellings) {
    std::vector<std::string_view> const names{"SODE_TIMEOUT", "SODE_CHECK", "SODE_CHANNEL"};
    EXPECT_EQ(nearest("SODE_TIMOUT", names), "SODE_TIMEOUT");
    EXPECT_EQ(nearest("SODE_CHCEK", names), "SODE_CHECK");
    EXPECT_EQ(nearest("SODE_COMPLETELY_DIFFERENT", names), "");
    EXPECT_EQ(nearest("", {}), "");
}

TEST(ByteText, UsesTheUnitThatReadsBest) {
    EXPECT_EQ(byte_text(0), "0 B");
    EXPECT_EQ(byte_text(1023), "1023 B");
    EXPECT_EQ(byte_text(2 << 20), "2 MiB");
    EXPECT_EQ(byte_text(1536), "1.5 KiB");
    EXPECT_EQ(byte_text(std::uint64_t{260} << 20), "260 MiB");
}

} // namespace
} // namespace sode::internal
