// SPDX-License-Identifier: Apache-2.0
// Ranks agree on a profile, or say together why they cannot.
#include "model/common_settings.hpp"

#include "base/whole_file.hpp"
#include "support/mini_bootstrap.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class common_settings_test : public ::testing::TestWithParam<int> {
protected:
    common_settings_test() {
        auto name = (std::filesystem::temp_directory_path() / "sode-settings-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        ::setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    }
    ~common_settings_test() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string file(std::string const& name, std::string const& text) const {
        auto const path = (folder_ / name).string();
        replace_file(path, "profile", text);
        return path;
    }
    // What every rank says when it cannot go on.
    void expect_refusal(std::function<config(int rank)> const& settings, ::testing::Matcher<std::string> const& message) const {
        testing::run_threads(GetParam(), [&](bootstrap& boot) {
            try {
                static_cast<void>(agree_on_settings(boot, settings(boot.rank())));
                ADD_FAILURE() << "rank " << boot.rank() << " went on";
            } catch (error const& e) {
                EXPECT_EQ(e.kind(), error_kind::usage);
                EXPECT_THAT(e.what(), message);
            }
            boot.barrier(); // all are still together
        });
    }

    std::filesystem::path folder_;
};

config with_profile(std::string const& file) {
    config c;
    c.profile = file;
    return c;
}

TEST_P(common_settings_test, rank_0_gives_its_profile_to_all) {
    auto const path = file("mine.json", R"({"pack_row": 0.625})");
    for (bool everywhere : {true, false})
        testing::run_threads(GetParam(), [&](bootstrap& boot) {
            auto const common = agree_on_settings(boot, boot.rank() == 0 || everywhere ? with_profile(path) : config{});
            EXPECT_EQ(common.costs.pack_row, 0.625);
            EXPECT_EQ(common.profile_file, path);
        });
}

TEST_P(common_settings_test, without_a_file_they_are_built_in) {
    testing::run_threads(GetParam(), [&](bootstrap& boot) {
        auto const common = agree_on_settings(boot, {});
        EXPECT_EQ(common.costs.pack_row, profile{}.pack_row);
        EXPECT_EQ(common.profile_file, "");
    });
}

TEST_P(common_settings_test, what_was_stored_is_found_and_can_be_left_out) {
    char host[256] = {};
    ASSERT_EQ(::gethostname(host, sizeof host - 1), 0);
    auto const path = file("sode/profile-" + std::string{host} + ".json", R"({"pack_row": 0.375})");
    testing::run_threads(GetParam(), [&](bootstrap& boot) {
        auto const found = agree_on_settings(boot, {});
        EXPECT_EQ(found.costs.pack_row, 0.375);
        EXPECT_EQ(found.profile_file, path);
        auto const left_out = agree_on_settings(boot, with_profile("default"));
        EXPECT_EQ(left_out.costs.pack_row, profile{}.pack_row);
        EXPECT_EQ(left_out.profile_file, "");
    });
}

TEST_P(common_settings_test, a_wrong_file_is_told_by_all) {
    auto const path = file("bad.json", R"({"pack_raw": 1})");
    expect_refusal([&](int) { return with_profile(path); }, AllOf(HasSubstr(path), HasSubstr("pack_row")));
    expect_refusal([&](int) { return with_profile("/no/such/file"); }, HasSubstr("cannot read the profile /no/such/file"));
}

TEST_P(common_settings_test, different_files_are_an_error_on_all) {
    if (GetParam() == 1) return;
    auto const one = file("one.json", "{}"), two = file("two.json", "{}");
    int const last = GetParam() - 1;
    expect_refusal([&](int rank) { return with_profile(rank == last ? two : one); },
                   AllOf(HasSubstr("SODE_PROFILE is " + two), HasSubstr("rank 0")));
    expect_refusal([&](int rank) { return rank == last ? with_profile(two) : config{}; }, HasSubstr("unset at rank 0"));
}

INSTANTIATE_TEST_SUITE_P(ranks, common_settings_test, ::testing::Values(1, 2, 3, 4));

} // namespace
} // namespace sode::internal
