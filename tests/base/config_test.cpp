// SPDX-License-Identifier: Apache-2.0
// Settings: defaults, every variable and file, and refusals of what makes no sense.
#include "base/config.hpp"
#include "support/with_variable.hpp"

#include "base/wait.hpp"

#include <sode/error.hpp>

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using namespace std::string_literals;
using testing::with_variable;

std::string refusal(char const* name, char const* value) {
    with_variable const v{name, value};
    try {
        static_cast<void>(config::from_environment());
    } catch (error const& e) {
        EXPECT_EQ(e.kind(), error_kind::usage);
        return e.what();
    }
    return "";
}

/// This program once more, as one that has the rights of its file's owner and not of its caller's; its exit status. 77: here no
/// file gives rights.
int run_with_rights_of_another(std::string const& test) {
    auto const copy = std::filesystem::temp_directory_path() / fmt::format("sode-config-test-{}", getpid());
    std::filesystem::copy_file("/proc/self/exe", copy);
    constexpr uid_t another_user = 65534;
    int status = 77 << 8;
    if (::chown(copy.c_str(), another_user, another_user) == 0 && ::chmod(copy.c_str(), 04755) == 0)
        status = std::system(fmt::format("CONFIG_TEST_CHILD=1 {} --gtest_filter={}", copy.string(), test).c_str());
    std::filesystem::remove(copy);
    return WEXITSTATUS(status);
}

TEST(Config, DoesNotObeyFilesWhereTheProgramMayDoMoreThanItsCaller) {
    if (std::getenv("CONFIG_TEST_CHILD") != nullptr) {
        // _Exit: a sanitizer that looks for leaks at the end may not look into a program with such rights.
        if (::getauxval(AT_SECURE) == 0) std::_Exit(77); // a file system that is mounted without such rights
        auto const c = config::from_environment();
        bool const obeyed = !c.profile.empty() || !c.trace.empty() || !c.plugins.empty();
        std::_Exit(!obeyed && c.timeout_s == 7 && c.disregarded.size() == 3 ? 42 : 1);
    }
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
    with_variable const profile{"SODE_PROFILE", "/etc/passwd"};
    with_variable const trace{"SODE_TRACE", "/etc/passwd"};
    with_variable const plugins{"SODE_PLUGINS", "/tmp"};
    with_variable const timeout{"SODE_TIMEOUT", "7"};
    int const status = run_with_rights_of_another("Config.DoesNotObeyFilesWhereTheProgramMayDoMoreThanItsCaller");
    if (status == 77) GTEST_SKIP() << "files give no rights here";
    EXPECT_EQ(status, 42);
    EXPECT_EQ(config::from_environment().trace, "/etc/passwd");
    EXPECT_TRUE(config::from_environment().disregarded.empty());
}

TEST(Config, HasDefaults) {
    config const c = config::from_environment();
    EXPECT_FALSE(c.check.plan || c.check.collective || c.check.halo);
    EXPECT_EQ(c.channel, "");
    EXPECT_EQ(c.timeout_s, 0);
    EXPECT_EQ(c.warn_s, 30);
    EXPECT_EQ(c.spins, -1);
    EXPECT_EQ(c.segment_bytes, 0U);
}

TEST(Config, ReadsEverySetting) {
    with_variable const check{"SODE_CHECK", "plan,halo"};
    with_variable const channel{"SODE_CHANNEL", "stage-wide"};
    with_variable const profile{"SODE_PROFILE", "/etc/machine.json"};
    with_variable const timeout{"SODE_TIMEOUT", "2.5"};
    with_variable const warn{"SODE_WARN", "0"};
    with_variable const spin{"SODE_SPIN", "17"};
    with_variable const segment{"SODE_SEGMENT_SIZE", "3G"};
    with_variable const engine{"SODE_ENGINE", "thread"};
    with_variable const cores{"SODE_ENGINE_CORES", "4-7,12"};
    config const c = config::from_environment();
    EXPECT_TRUE(c.check.plan && c.check.halo && !c.check.collective);
    EXPECT_EQ(c.channel, "stage-wide");
    EXPECT_EQ(c.profile, "/etc/machine.json");
    EXPECT_EQ(c.timeout_s, 2.5);
    EXPECT_EQ(c.warn_s, 0);
    EXPECT_EQ(c.spins, 17);
    EXPECT_EQ(c.segment_bytes, std::size_t{3} << 30);
    EXPECT_EQ(c.engine, "thread");
    EXPECT_EQ(c.engine_cores, "4-7,12");
}

TEST(Config, AnEngineMayHaveSeveralInterfaces) {
    auto const engine = [](char const* value) {
        with_variable const v{"SODE_ENGINE", value};
        auto const c = config::from_environment();
        return std::pair{c.engine, c.interfaces};
    };
    EXPECT_EQ(engine("triggered"), std::pair("triggered"s, 1));
    EXPECT_EQ(engine("triggered:3"), std::pair("triggered"s, 3));
}

TEST(Config, AnOldNameIsObeyedButNotBesideTheNewOne) {
    EXPECT_THAT(refusal("SODE_NODE_SIZE", "many"),
                HasSubstr("SODE_NODE_SIZE=many is invalid (the value is not a number of ranks)"));
    with_variable const old_name{"SODE_NODE_SIZE", "3"};
    EXPECT_EQ(config::from_environment().machine_size, 3);
    EXPECT_THAT(refusal("SODE_MACHINE_SIZE", "3"),
                AllOf(HasSubstr("SODE_MACHINE_SIZE and SODE_NODE_SIZE are both set"), HasSubstr("unset SODE_NODE_SIZE")));
    EXPECT_EQ(refusal("SODE_MACHINE_SIZE", ""), "");
}

TEST(Config, ATorusIsAListOfExtents) {
    with_variable const torus{"SODE_TORUS", "4x3x11"}, subcluster{"SODE_SUBCLUSTER", "16"};
    auto const c = config::from_environment();
    EXPECT_THAT(c.torus, ::testing::ElementsAre(4, 3, 11));
    EXPECT_EQ(c.subcluster, 16);
    for (char const* wrong : {"x", "4x", "x4", "4x0", "4x-1", "4 x 3", "4,3"})
        EXPECT_THAT(refusal("SODE_TORUS", wrong), HasSubstr("the value is not a list of extents")) << wrong;
    EXPECT_THAT(refusal("SODE_SUBCLUSTER", "0"), HasSubstr("the value is not a number of machines"));
}

TEST(Config, AChoiceMayNameAFile) {
    auto const choice = [](char const* value) {
        with_variable const v{"SODE_CHOICE", value};
        auto const c = config::from_environment();
        return std::pair{c.choice, c.choice_file};
    };
    EXPECT_EQ(choice("learn"), std::pair("learn"s, ""s));
    EXPECT_EQ(choice("learn:/tmp/a:b"), std::pair("learn"s, "/tmp/a:b"s));
    EXPECT_EQ(choice("fixed:f"), std::pair("fixed"s, "f"s));
    EXPECT_THAT(refusal("SODE_CHOICE", "fixed"), HasSubstr("no file is named"));
    EXPECT_THAT(refusal("SODE_CHOICE", "learn:"), HasSubstr("no file is named"));
    EXPECT_THAT(refusal("SODE_CHOICE", "modell"), HasSubstr("did you mean \"model\""));
    EXPECT_THAT(refusal("SODE_CHOICE", "model:f"), HasSubstr("model:f"));
}

TEST(Config, AllMeansEveryCheck) {
    with_variable const check{"SODE_CHECK", "all"};
    config const c = config::from_environment();
    EXPECT_TRUE(c.check.plan && c.check.halo && c.check.collective);
}

TEST(Config, EmptyMeansUnset) {
    with_variable const timeout{"SODE_TIMEOUT", ""};
    EXPECT_EQ(config::from_environment().timeout_s, 0);
}

TEST(Config, RefusesUnknownNamesAndSuggestsTheNearest) {
    EXPECT_THAT(refusal("SODE_TIMOUT", "5"),
                AllOf(HasSubstr("unknown environment variable SODE_TIMOUT"), HasSubstr("did you mean SODE_TIMEOUT?")));
    EXPECT_THAT(refusal("SODE_ZZZZZZZZZ", "5"), HasSubstr("SODE_CHECK, SODE_CHANNEL"));
    EXPECT_EQ(refusal("SODE_BOOT_SOMETHING", "5"), "");
    EXPECT_EQ(refusal("SODEX", "5"), "");
}

TEST(Config, RefusesValuesThatMakeNoSense) {
    EXPECT_THAT(refusal("SODE_CHECK", "plan,hallo"), HasSubstr("did you mean \"halo\"?"));
    EXPECT_THAT(refusal("SODE_TIMEOUT", "soon"), HasSubstr("not a number of seconds"));
    EXPECT_THAT(refusal("SODE_TIMEOUT", "-1"), HasSubstr("SODE_TIMEOUT=-1"));
    EXPECT_THAT(refusal("SODE_WARN", "inf"), HasSubstr("not a number of seconds"));
    EXPECT_THAT(refusal("SODE_SPIN", "1.5"), HasSubstr("not a number of polls"));
    EXPECT_THAT(refusal("SODE_THREADS", "0"), HasSubstr("a rank has 1 to 256 threads"));
    EXPECT_THAT(refusal("SODE_ENGINE", "threads"), HasSubstr("did you mean \"thread\"?"));
    EXPECT_THAT(refusal("SODE_ENGINE", "triggered:0"), HasSubstr("only triggered takes a number of interfaces, 1 to 16"));
    EXPECT_THAT(refusal("SODE_ENGINE", "triggered:x"), HasSubstr("only triggered takes a number of interfaces"));
    EXPECT_THAT(refusal("SODE_ENGINE", "thread:2"), HasSubstr("only triggered takes a number of interfaces"));
    EXPECT_THAT(refusal("SODE_ENGINE_CORES", "7-4"), HasSubstr("not a list of processors"));
    EXPECT_THAT(refusal("SODE_SEGMENT_SIZE", "G"), HasSubstr("not a number of bytes"));
    EXPECT_THAT(refusal("SODE_SEGMENT_SIZE", "0"), HasSubstr("not a number of bytes"));
    EXPECT_THAT(refusal("SODE_SEGMENT_SIZE", "99999999999999T"), HasSubstr("too large for an address"));
}

TEST(Config, IsDocumentedInFull) {
    std::ifstream file{SODE_SOURCE_DIR "/docs/environment.md"};
    std::stringstream text;
    text << file.rdbuf();
    for (setting const& s : settings())
        EXPECT_THAT(text.str(),
                    HasSubstr("| `" + std::string{s.name} + "` | " + std::string{s.value} + " | " + std::string{s.meaning} + " |"));
}

TEST(WaitPolicy, SpinsOnlyWhereEveryRankHasAProcessor) {
    EXPECT_GT(make_wait_policy({}, 2, 2).spins, 0);
    EXPECT_EQ(make_wait_policy({}, 3, 2).spins, 0);
    config forced;
    forced.spins = 5;
    forced.timeout_s = 7;
    EXPECT_EQ(make_wait_policy(forced, 3, 2).spins, 5);
    EXPECT_EQ(make_wait_policy(forced, 3, 2).timeout_s, 7);
}

TEST(Waiter, LooksOnlyAfterYieldingForMilliseconds) {
    wait_policy policy;
    policy.spins = 100;
    waiter w{policy};
    for (int i = 0; i < 100; ++i) {
        EXPECT_FALSE(w.step());
        EXPECT_EQ(w.elapsed(), 0.0);
    }
    while (!w.step()) {
    }
    EXPECT_GE(w.elapsed(), 0.002);
    w.reset();
    EXPECT_FALSE(w.step());
    EXPECT_EQ(w.elapsed(), 0.0);
}

} // namespace
} // namespace sode::internal
