// SPDX-License-Identifier: Apache-2.0
// How a program finds the MPI that started it, linked with one or not; and what it says when it does not.
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// `settings` are variables, NAME=value.
result run(words const& settings, words const& command) {
    result const r = process{words{"env"} + settings + words{"timeout", "--kill-after=2", "90"} + command}.wait();
    EXPECT_NE(r.status, 124) << "it hangs";
    return r;
}

std::map<std::string, words> const launchers{
#ifdef MPIRUN_openmpi
    {"openmpi", {MPIRUN_openmpi, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "2"}},
#endif
#ifdef MPIRUN_mpich
    {"mpich", {MPIRUN_mpich, "-n", "2"}},
#endif
};
std::string other(std::string const& mpi) {
    return mpi == "mpich" ? "openmpi" : "mpich";
}

class Plugins : public ::testing::TestWithParam<std::string> {
protected:
    [[nodiscard]] static std::string mpi() { return GetParam(); }
    /// Two ranks that are linked with no MPI.
    [[nodiscard]] static result ranks(words const& settings) { return run(settings, launchers.at(mpi()) + words{WHO}); }
};

words names() {
    words list;
    for (auto const& [name, launch] : launchers) list.push_back(name);
    return list;
}
INSTANTIATE_TEST_SUITE_P(of, Plugins, ::testing::ValuesIn(names()), [](auto const& i) { return i.param; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Plugins); // a machine without MPI

constexpr auto joined = "2 ranks by MPI";
constexpr auto mistaken = "finds only this process, but the launcher started several";

TEST_P(Plugins, JoinTheRanks) {
    result const r = ranks({});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, AllOf(HasSubstr(joined), HasSubstr("sum 4950")));
}

TEST_P(Plugins, AreNotNeededByOneRank) {
    result const r = ranks({"SODE_MPI=none", "SODE_PLUGINS=/nonexistent"});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_EQ(count(r.out, "1 rank by alone"), 2) << r.out;
}

TEST_P(Plugins, ThatAreMissing) {
    result const r = ranks({"SODE_PLUGINS=/nonexistent"});
    EXPECT_NE(r.status, 0);
    EXPECT_THAT(r.err, AllOf(HasSubstr("started by the launcher of " + mpi()),
                             HasSubstr("libsode-channel-" + mpi() + ".so is not in /nonexistent"), HasSubstr("SODE_PLUGINS")));
}

TEST_P(Plugins, OfAnotherVersion) {
    auto const folder = std::filesystem::path{OTHER_VERSION}.parent_path();
    auto const file = folder / ("libsode-channel-" + mpi() + ".so");
    std::filesystem::copy_file(OTHER_VERSION, file, std::filesystem::copy_options::overwrite_existing);
    result const r = ranks({"SODE_PLUGINS=" + folder.string()});
    EXPECT_NE(r.status, 0);
    EXPECT_THAT(r.err, AllOf(HasSubstr("cannot be used"), HasSubstr("the plug-in belongs to Sode 0.0.1")));
    std::filesystem::remove(file);
}

TEST_P(Plugins, ThatAreNone) {
    auto const folder = std::filesystem::path{OTHER_VERSION}.parent_path() / "none";
    std::filesystem::create_directory(folder);
    std::ofstream{folder / ("libsode-channel-" + mpi() + ".so")} << "no library\n";
    result const r = ranks({"SODE_PLUGINS=" + folder.string()});
    EXPECT_NE(r.status, 0);
    EXPECT_THAT(r.err, HasSubstr("cannot be used"));
    EXPECT_THAT(run({"SODE_PLUGINS=" + folder.string()}, {SODE_COMMAND, "info"}).out, HasSubstr("mpi/" + mpi()));
    std::filesystem::remove_all(folder);
}

// Each process would be a job of one rank, and compute everything.
TEST_P(Plugins, OfAnotherMpiThanTheLaunchers) {
    if (launchers.count(other(mpi())) == 0) GTEST_SKIP() << "there is one MPI only";
    result const r = ranks({"SODE_MPI=" + other(mpi())});
    EXPECT_NE(r.status, 0);
    EXPECT_THAT(r.err, AllOf(HasSubstr(other(mpi()) + " " + mistaken), HasSubstr("SODE_MPI=" + other(mpi()))));
    EXPECT_THAT(r.out, Not(HasSubstr("sum")));
}

TEST_P(Plugins, ForProgramsThatAreLinkedWithMpi) {
    for (auto const& initialise : {words{}, words{"init"}}) {
        words const program = words{std::string{WHO} + "_" + mpi()} + initialise;
        result const r = run({}, launchers.at(mpi()) + program);
        EXPECT_EQ(r.status, 0) << r.err;
        EXPECT_THAT(r.out, AllOf(HasSubstr(joined), HasSubstr("sum 4950")));

        result const alone = run({}, program);
        EXPECT_EQ(alone.status, 0) << alone.err;
        EXPECT_THAT(alone.out, AllOf(HasSubstr("1 rank by "), HasSubstr("sum 4950")));

        if (launchers.count(other(mpi())) == 0) continue;
        result const wrong = run({}, launchers.at(other(mpi())) + program);
        EXPECT_NE(wrong.status, 0);
        EXPECT_THAT(wrong.err + wrong.out, HasSubstr(mpi() + " " + mistaken));
    }
}

} // namespace
} // namespace sode::internal::testing
