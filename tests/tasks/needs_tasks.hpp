// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tasks/usable.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {

/// Tests of tasks, skipped where there can be none.
class needs_tasks : public ::testing::Test {
protected:
    void SetUp() override {
        static auto const here = tasks_usable();
        if (!here.usable) GTEST_SKIP() << "no tasks here: " << here.why;
    }
};

} // namespace sode::internal::testing
