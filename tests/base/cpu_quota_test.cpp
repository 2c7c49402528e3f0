// SPDX-License-Identifier: Apache-2.0
// How many processors the control groups leave, in both versions of them.
#include "base/cpu_quota.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace sode::internal {
namespace {

namespace fs = std::filesystem;

/// A machine of files, gone with the test.
class CpuQuota : public ::testing::Test {
protected:
    CpuQuota() : root_(fs::temp_directory_path() / ("sode-quota-" + std::to_string(getpid()))) {}
    ~CpuQuota() override { fs::remove_all(root_); }

    void write(fs::path const& path, std::string const& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream{root_ / path} << text;
    }

    fs::path root_;
};

TEST_F(CpuQuota, IsAbsentWithoutControlGroups) {
    EXPECT_FALSE(cpu_quota(root_));
}

TEST_F(CpuQuota, IsTheLeastOfAllParents) {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/cpu.max", "150000 100000\n");
    write("sys/fs/cgroup/user/job/cpu.max", "800000 100000\n");
    EXPECT_EQ(cpu_quota(root_), 1.5);
}

TEST_F(CpuQuota, IsAbsentWhereItIsMax) {
    write("proc/self/cgroup", "0::/job\n");
    write("sys/fs/cgroup/job/cpu.max", "max 100000\n");
    EXPECT_FALSE(cpu_quota(root_));
}

TEST_F(CpuQuota, IsTheMountsWhereThePathIsTheHosts) {
    write("proc/self/cgroup", "0::/../../host/docker/abc\n");
    write("sys/fs/cgroup/cpu.max", "200000 100000\n");
    EXPECT_EQ(cpu_quota(root_), 2.0);
}

TEST_F(CpuQuota, IsReadFromTheFirstVersionToo) {
    write("proc/self/cgroup", "12:memory:/a\n4:cpu,cpuacct:/a\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "300000\n");
    write("sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(cpu_quota(root_), 3.0);
}

} // namespace
} // namespace sode::internal
