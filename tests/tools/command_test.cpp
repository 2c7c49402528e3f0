// SPDX-License-Identifier: Apache-2.0
// The `sode` command itself: what it says, and how it refuses.
#include "support/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace sode::internal::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

TEST(Command, TellsItsVersion) {
    EXPECT_THAT(sode({"--version"}).out, ::testing::StartsWith("sode " SODE_VERSION "\n"));
}

TEST(Command, TellsWhatWasBuiltWithIt) {
    EXPECT_THAT(sode({"--version"}).out, AllOf(ContainsRegex("compiled by +(GNU|Clang) [0-9]"), ContainsRegex("MPI layers +[a-z]"),
                                               ContainsRegex("files \\(HDF5\\) +(yes|no)\n"), ContainsRegex("tasks +(yes|no)\n")));
}

TEST(Command, DoctorSaysWhatToChangeFirst) {
    result const r = sode({"doctor"});
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.out, AllOf(ContainsRegex("(fine  |change)  processors: [0-9]+"), HasSubstr("costs of this machine"),
                             HasSubstr("ranks in one address space")));
    EXPECT_LT(r.out.rfind("change  "), r.out.find("fine  ")) << r.out;
}

TEST(Command, Helps) {
    EXPECT_THAT(sode({"--help"}).out, AllOf(HasSubstr("run"), HasSubstr("info"), HasSubstr("bench")));
    EXPECT_THAT(sode({"run", "--help"}).out, AllOf(HasSubstr("--prefix"), HasSubstr("--cores"), HasSubstr("exit status")));
    EXPECT_EQ(sode({"run", "--help"}).status, 0);
}

TEST(Command, InfoShowsTheMachineAndWhatIsUsable) {
    result const r = sode({"info"});
    EXPECT_EQ(r.status, 0);
    EXPECT_THAT(r.out, AllOf(HasSubstr("usable here: processors"), HasSubstr("NUMA node 0"), ContainsRegex("segment +yes"),
                             ContainsRegex("direct +yes")));
}

#ifdef MPI_PROGRAM_openmpi
TEST(Command, InfoSaysWhatMpisSayOfDeviceMemory) {
    auto const remark = [](std::vector<std::string> const& variables) {
        std::vector<std::string> words{"env"};
        words.insert(words.end(), variables.begin(), variables.end());
        words.insert(words.end(), {SODE_COMMAND, "info"});
        auto const all = process{words}.wait().out;
        return all.substr(std::min(all.find("\ndevices"), all.size()));
    };
    EXPECT_THAT(remark({}), ContainsRegex("mpi/openmpi +(yes|no) .*MPIX_Query_cuda_support"));
    EXPECT_THAT(remark({"LD_PRELOAD=" AWARE_MPI}), ContainsRegex("mpi/openmpi +yes +messages are sent from CUDA device memory"));
    EXPECT_THAT(
        remark({"OMPI_MCA_pml=none_of_that_name"}),
        ContainsRegex("mpi/openmpi +no +not known: MPI_Init ended a job of one rank with status [0-9]+; messages are packed"));
#ifdef MPI_PROGRAM_mpich
    EXPECT_THAT(remark({}), ContainsRegex("mpi/mpich +(yes|no) .*MPIX_Query_cuda_support"));
    EXPECT_THAT(remark({"LD_PRELOAD=" AWARE_MPI}), ContainsRegex("mpi/mpich +yes +messages are sent from CUDA device memory"));
#endif
}
#endif

TEST(Command, BenchSaysWhereItLookedWhenNoBenchmarkIsThere) {
    auto const folder = std::filesystem::path{::testing::TempDir()} / ("sode-alone-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "bin");
    std::filesystem::copy_file(SODE_COMMAND, folder / "bin" / "sode");
    result const r = process{{folder / "bin" / "sode", "bench", "halo"}}.wait();
    std::filesystem::remove_all(folder);
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.err, AllOf(HasSubstr("contains no benchmarks"), HasSubstr((folder / "bin" / "sode-bench").string()),
                             HasSubstr("cmake --build")));
}

struct misuse {
    std::vector<std::string> words;
    std::string complaint;
};

std::ostream& operator<<(std::ostream& stream, misuse const& m) {
    stream << "sode";
    for (std::string const& word : m.words) stream << ' ' << word;
    return stream;
}

class Misuse : public ::testing::TestWithParam<misuse> {};
INSTANTIATE_TEST_SUITE_P(
    Command, Misuse,
    ::testing::Values(misuse{{}, "sode: error: there is no command"}, misuse{{"fly"}, "no command \"fly\""},
                      misuse{{"inof"}, "did you mean info?"}, misuse{{"info", "--", "x"}, "takes no arguments"},
                      misuse{{"run", "true"}, "sode: error: -n is missing (sode run requires this argument)\n  write -n N\n"},
                      misuse{{"run", "-n", "0", "true"}, "0 ranks"}, misuse{{"run", "-n", "-3", "true"}, "-3 ranks"},
                      misuse{{"run", "-n", "4097", "true"}, "1 to 4096"},
                      misuse{{"run", "-n", "two", "true"}, "sode: error: -n two is invalid (a value like N was expected)"},
                      misuse{{"run", "-n"}, "sode: error: -n has no value\n  write -n N\n"},
                      misuse{{"tune", "--quik"},
                             "sode: error: there is no option --quik (of sode tune)\n  did you mean --quick?\n"},
                      misuse{{"doctor", "--", "x"}, "takes no arguments"},
                      misuse{{"info", "x"}, "sode: error: \"x\" is one argument too many"},
                      misuse{{"run", "-n", "2"}, "no program"}, misuse{{"run", "-n", "2", "--"}, "no program"},
                      misuse{{"run", "-n", "2", "--bogus", "true"}, "there is no option --bogus"},
                      misuse{{"run", "-n", "2", "--prefx", "true"}, "did you mean --prefix?"},
                      misuse{{"run", "-n", "2", "--timeout", "-1", "true"}, "--timeout"}));

TEST_P(Misuse, IsRefused) {
    result const r = sode(GetParam().words);
    EXPECT_EQ(r.status, 2);
    EXPECT_THAT(r.err, AllOf(::testing::StartsWith("sode: error: "), HasSubstr(GetParam().complaint)));
}

TEST(Command, TakesNpForNAsMpirunDoes) {
    EXPECT_EQ(sode({"run", "-np", "3", "echo", "-n", "x"}).out, "xxx");
    EXPECT_EQ(sode({"run", "--prefix", "--cores", "all", "-np", "1", "echo", "-np", "2"}).out, "[0] -np 2\n");
    EXPECT_THAT(sode({"run", "-np", "two", "true"}).err, HasSubstr("-n two is invalid"));
}

TEST(Command, PassesOnWhatFollowsTheProgram) {
    EXPECT_EQ(sode({"run", "-n", "1", "echo", "-n", "--", "--prefix"}).out, "-- --prefix");
    EXPECT_EQ(sode({"run", "-n", "1", "--", "echo", "--prefix", "--"}).out, "--prefix --\n");
}

} // namespace
} // namespace sode::internal::testing
