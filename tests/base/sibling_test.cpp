// SPDX-License-Identifier: Apache-2.0
// A program finds those that come with it by its own folder, wherever that is, and says where it has looked.
#include "base/sibling.hpp"
#include "support/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(sibling, is_found_from_the_folder_of_the_program_that_runs) {
    auto const own = std::filesystem::canonical("/proc/self/exe");
    auto const place = "../" + own.parent_path().filename().string() + "/" + own.filename().string();
    EXPECT_EQ(folder_of_this_program(), own.parent_path());
    EXPECT_EQ(find_sibling({"none-of-that-name", place}, "", ""), own.string());
}

TEST(sibling, is_missed_with_all_places_that_were_looked_at) {
    auto const here = folder_of_this_program().string();
    auto const said = testing::message(
        [] {
            return find_sibling({"none", "../none/either"}, "nobody is there", "call again");
        },
        error_kind::environment);
    EXPECT_THAT(said, AllOf(HasSubstr("nobody is there (no " + here + "/none and no "), HasSubstr("/none/either)\n"),
                            HasSubstr("call again")));
}

} // namespace
} // namespace sode::internal
