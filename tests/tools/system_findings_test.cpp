// SPDX-License-Identifier: Apache-2.0
// What `sode doctor` makes of /proc and /sys: each finding, good and bad, from files that a test has written.
#include "doctor/system_findings.hpp"

#include "base/processors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace sode::internal::tools {
namespace {

namespace fs = std::filesystem;

class SystemFindings : public ::testing::Test {
protected:
    ~SystemFindings() override { fs::remove_all(root_); }

    void put(fs::path const& file, std::string const& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream{root_ / file} << text << '\n';
    }
    void governors(std::string const& name) {
        for (int const p : processor_set::of_this_thread().numbers())
            put("sys/devices/system/cpu/cpu" + std::to_string(p) + "/cpufreq/scaling_governor", name);
    }
    // Fails the test if there is none.
    [[nodiscard]] finding found(std::string const& what) const {
        for (auto const& f : system_findings(root_))
            if (f.what == what) return f;
        ADD_FAILURE() << "nothing is said of " << what;
        return {};
    }
    [[nodiscard]] bool says(std::string const& what) const {
        for (auto const& f : system_findings(root_))
            if (f.what == what) return true;
        return false;
    }

private:
    fs::path root_ = fs::path{::testing::TempDir()} / ("sode-doctor-" + std::to_string(getpid()));
};

TEST_F(SystemFindings, LeaveOutWhatTheKernelDoesNotTell) {
    EXPECT_FALSE(says("frequency governor"));
    EXPECT_FALSE(says("huge pages"));
    EXPECT_FALSE(says("NUMA balancing"));
}

TEST_F(SystemFindings, WantTheGovernorThatKeepsTheFrequency) {
    governors("powersave");
    EXPECT_NE(found("frequency governor").remedy, "");
    governors("performance");
    EXPECT_EQ(found("frequency governor").remedy, "");
}

TEST_F(SystemFindings, WantHugePagesOnRequest) {
    put("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
    put("sys/kernel/mm/transparent_hugepage/shmem_enabled", "always within_size advise [never] deny force");
    put("proc/sys/kernel/osrelease", "5.10.0-28-amd64");
    EXPECT_NE(found("huge pages").remedy, "");
    EXPECT_NE(found("huge pages of shared memory").remedy, "");
    put("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    put("proc/sys/kernel/osrelease", "6.1.0-18-amd64");
    EXPECT_EQ(found("huge pages").remedy, "");
    EXPECT_EQ(found("huge pages of shared memory").remedy, "");
}

TEST_F(SystemFindings, WantPagesToStayWhereTheyAre) {
    put("proc/sys/kernel/numa_balancing", "1");
    EXPECT_FALSE(says("NUMA balancing")); // one NUMA node
    put("sys/devices/system/node/node1/meminfo", "");
    EXPECT_NE(found("NUMA balancing").remedy, "");
    put("proc/sys/kernel/numa_balancing", "0");
    EXPECT_EQ(found("NUMA balancing").remedy, "");
}

TEST_F(SystemFindings, SeeTheQuotaOfAContainer) {
    EXPECT_EQ(found("processors").remedy, "");
    put("proc/self/cgroup", "0::/");
    put("sys/fs/cgroup/cpu.max", "50000 100000");
    EXPECT_NE(found("processors").remedy, "");
}

} // namespace
} // namespace sode::internal::tools
