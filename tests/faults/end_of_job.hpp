// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tools/support/process.hpp"
#include "tools/support/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace sode::internal::testing {

/// Runs a job to its end, which has to come by itself, and looks at what is left then.
inline result end_of_job(words const& command) {
    process job{words{"timeout", "--kill-after=2", "90"} + command};
    result r = job.wait();
    EXPECT_NE(r.status, 124) << "the job did not end: " << r.out << r.err;
    EXPECT_TRUE(job.family_gone(30)) << "processes are left";
    for (auto const& entry : std::filesystem::directory_iterator{"/dev/shm"})
        EXPECT_THAT(entry.path().filename().string(), ::testing::Not(::testing::HasSubstr("sode")));
    return r;
}

} // namespace sode::internal::testing
