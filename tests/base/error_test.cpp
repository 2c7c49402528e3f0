// SPDX-License-Identifier: Apache-2.0
#include "base/byte_text.hpp"
#include "base/nearest.hpp"
#include "base/system_error.hpp"

#include <cerrno>
#include <gtest/gtest.h>

namespace sode {
namespace {

TEST(Error, ReadsProblemWhySuggestion) {
    error const e{error_kind::usage, "halo 5 is too wide", "the smallest block has 3", "use fewer ranks"};
    EXPECT_STREQ(e.what(), "halo 5 is too wide (the smallest block has 3) use fewer ranks");
    EXPECT_EQ(e.kind(), error_kind::usage);
}

TEST(Error, LeavesOutWhatIsEmpty) {
    EXPECT_STREQ((error{error_kind::internal, "problem", "", "do it"}.what()), "problem do it");
    EXPECT_STREQ((error{error_kind::internal, "problem", "why", ""}.what()), "problem (why)");
}

TEST(Error, OfASystemCallSaysWhatErrnoSays) {
    errno = ENOENT;
    error const e = system_error("it cannot be opened", "open", "look for it");
    EXPECT_STREQ(e.what(), "it cannot be opened (open: No such file or directory) look for it");
    EXPECT_EQ(e.kind(), error_kind::environment);
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
} // namespace sode
