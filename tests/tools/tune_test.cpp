// SPDX-License-Identifier: Apache-2.0
// `sode tune`, as users run it: what it writes can be used and makes a difference, and what is wrong is told. The numbers
// themselves are this machine's, so nothing tight is asked of them.
#include "support/process.hpp"

#include "base/whole_file.hpp"
#include "model/profile_fields.hpp"
#include "model/profile_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class tune_test : public ::testing::Test {
protected:
    tune_test() {
        auto name = (std::filesystem::temp_directory_path() / "sode-tune-XXXXXX").string();
        folder_ = ::mkdtemp(name.data());
        ::setenv("XDG_CONFIG_HOME", (folder_ / "config").c_str(), 1);
        ::unsetenv("SODE_PROFILE");
    }
    ~tune_test() override {
        ::unsetenv("SODE_PROFILE");
        std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] std::string in_folder(std::string const& name) const { return (folder_ / name).string(); }
    static result explained() { return process{ranks(2, {})}.wait(); }

    std::filesystem::path folder_;
};

template <class T> void expect_sane(T const& costs) {
    each_field(costs, [](std::string_view name, auto const& value) {
        if constexpr (std::same_as<decltype(value), double const&>) {
            EXPECT_GE(value, 0) << name;
            EXPECT_TRUE(value > 0 || name == "stage") << name; // which is 0 until it is measured
            EXPECT_TRUE(std::isfinite(value)) << name;
        }
    });
}

TEST_F(tune_test, writes_a_profile_that_can_be_used) {
    auto const file = in_folder("mine.json");
    auto const r = sode({"tune", "--quick", "-o", file});
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr("near"), HasSubstr("far"), HasSubstr("local_byte")));
    EXPECT_THAT(r.err, AllOf(HasSubstr("100 %"), HasSubstr("written to " + file)));
    EXPECT_THAT(r.err, Not(HasSubstr("\r"))) << "no bar where there is no terminal";

    profile_origin origin;
    auto const p = load_profile(file, &origin);
    expect_sane(p);
    expect_sane(p.of(distance::near).memory);
    expect_sane(p.of(distance::far).memory);
    expect_sane(p.of(distance::near).datatypes);
    expect_sane(p.of(distance::far).datatypes);
    EXPECT_GT(origin.samples.local, 0);
    EXPECT_EQ(origin.samples.mpi_near + origin.samples.mpi_far, 0) << "no MPI has started it";
    EXPECT_GT(origin.cores, 0);
    EXPECT_EQ(origin.sode, SODE_VERSION);
    EXPECT_THAT(origin.date, ::testing::MatchesRegex("20..-..-..T..:..:..Z"));
    profile const built_in;
    // What would choose worse here keeps the built-in values, and that is told.
    auto const stored = [&](char const* what) {
        auto const& kept = origin.not_stored;
        return std::find(kept.begin(), kept.end(), what) == kept.end();
    };
    EXPECT_EQ(p.local_byte != built_in.local_byte, stored("halos") && stored("local_byte"));
    // On a busy machine no block may be good; then there are no new constants to choose by.
    if (origin.samples.near + origin.samples.far > 0) {
        EXPECT_THAT(r.out, HasSubstr("choices by these constants, measured / predicted"));
    }
    for (auto const apart : {distance::near, distance::far}) {
        auto const& costs = p.of(apart).datatypes;
        auto const& usual = built_in.of(apart).datatypes;
        bool const near = apart == distance::near;
        EXPECT_EQ(costs.mpi, usual.mpi);
        EXPECT_EQ(costs.handshake, usual.handshake);
        if ((near ? origin.samples.near : origin.samples.far) == 0) {
            EXPECT_EQ(p.of(apart).memory.flag, built_in.of(apart).memory.flag);
            EXPECT_EQ(costs.line, usual.line);
            EXPECT_THAT(origin.unseen, ::testing::Contains(near ? "near" : "far"));
        } else if (stored("messages of datatypes")) {
            EXPECT_FALSE(costs.line == usual.line && costs.push == usual.push && costs.stage_byte == usual.stage_byte);
        }
    }

    ::setenv("SODE_PROFILE", file.c_str(), 1);
    auto const tuned = explained();
    ::setenv("SODE_PROFILE", "default", 1);
    auto const shipped = explained();
    ASSERT_EQ(tuned.status, 0) << tuned.err;
    ASSERT_EQ(shipped.status, 0) << shipped.err;
    EXPECT_THAT(tuned.out, HasSubstr("profile: " + file));
    EXPECT_THAT(shipped.out, HasSubstr("profile: built in"));
    auto const table = [](std::string const& text) { return text.substr(text.find('\n')); };
    if (stored("halos")) {
        EXPECT_NE(table(tuned.out), table(shipped.out)) << "expected times";
    }
}

TEST_F(tune_test, stores_it_where_jobs_find_it) {
    EXPECT_THAT(explained().out, HasSubstr("profile: built in"));
    EXPECT_THAT(sode({"info"}).out, HasSubstr("built in"));
    auto const r = sode({"tune", "--quick"});
    ASSERT_EQ(r.status, 0) << r.err;
    auto const file = default_profile_path();
    EXPECT_THAT(file, ::testing::StartsWith(in_folder("config")));
    EXPECT_TRUE(std::filesystem::exists(file));
    EXPECT_THAT(explained().out, HasSubstr("profile: " + file));
    EXPECT_THAT(sode({"info"}).out, AllOf(HasSubstr(file), HasSubstr("\"tuned\", measured 20"), HasSubstr("unseen: ")));
}

TEST_F(tune_test, prints_a_profile_and_stores_nothing) {
    auto const r = sode({"tune", "--quick", "--print"});
    ASSERT_EQ(r.status, 0) << r.err;
    EXPECT_NO_THROW(static_cast<void>(read_profile(r.out, "what was printed")));
    EXPECT_FALSE(std::filesystem::exists(in_folder("config")));
}

TEST_F(tune_test, measures_what_one_core_alone_knows) {
    auto const r = sode({"tune", "--quick", "--cores", "0", "--print"});
    if (r.status == 2) GTEST_SKIP() << "processor 0 is not to be used here: " << r.err;
    ASSERT_EQ(r.status, 0) << r.err;
    profile_origin origin;
    static_cast<void>(read_profile(r.out, "what was printed", &origin));
    EXPECT_GT(origin.samples.local, 0);
    EXPECT_EQ(origin.samples.near + origin.samples.far, 0) << "two ranks that share a core are not near each other";
}

TEST_F(tune_test, refuses_what_it_cannot_do) {
    auto const nowhere = in_folder("no/such/folder.json");
    auto const r = sode({"tune", "--quick", "-o", nowhere});
    EXPECT_NE(r.status, 0);
    EXPECT_THAT(r.err, AllOf(HasSubstr("cannot write the profile " + nowhere), Not(HasSubstr("measuring"))));
    std::ofstream{in_folder("file")} << "not a folder";
    ::setenv("XDG_CONFIG_HOME", in_folder("file").c_str(), 1);
    auto const blocked = sode({"tune", "--quick"});
    EXPECT_NE(blocked.status, 0);
    EXPECT_THAT(blocked.err,
                AllOf(HasSubstr("the folder " + in_folder("file/sode") + " for the profile cannot be created (Not a directory)"),
                      HasSubstr("name a file with -o"), Not(HasSubstr("measuring"))));
    ::unsetenv("XDG_CONFIG_HOME");
    std::string const home = ::getenv("HOME") ? ::getenv("HOME") : "";
    ::setenv("HOME", "relative", 1);
    auto const homeless = sode({"tune", "--quick"});
    EXPECT_NE(homeless.status, 0);
    EXPECT_THAT(homeless.err, HasSubstr("neither XDG_CONFIG_HOME nor HOME is set to an absolute path"));
    home.empty() ? ::unsetenv("HOME") : ::setenv("HOME", home.c_str(), 1);
    EXPECT_EQ(sode({"tune", "--slow"}).status, 2);
    EXPECT_EQ(sode({"tune", "--", "program"}).status, 2);
    EXPECT_NE(sode({"tune", "--quick", "--cores", "9999"}).status, 0);
}

TEST_F(tune_test, a_broken_profile_is_told_by_whoever_meets_it) {
    auto const file = in_folder("broken.json");
    replace_file(file, "profile", R"({"near": {"flagg": 3}})");
    ::setenv("SODE_PROFILE", file.c_str(), 1);
    auto const r = explained();
    EXPECT_EQ(r.status, 3);
    EXPECT_THAT(r.err, AllOf(HasSubstr("near.flagg"), HasSubstr(file), HasSubstr("did you mean \"flag\"?")));
    auto const info = sode({"info"});
    EXPECT_EQ(info.status, 0);
    EXPECT_THAT(info.out, AllOf(HasSubstr("cannot be used"), HasSubstr("near.flagg")));
}

} // namespace
} // namespace sode::internal::testing
