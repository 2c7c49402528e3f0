// SPDX-License-Identifier: Apache-2.0
// main() of a test program of several ranks: rank 0 reports as usual, the others only what fails.
#include "support/has_windows.hpp"
#include "support/ranks.hpp"

#include <sode/window.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <string>
#include <unistd.h>

namespace sode::internal::testing {

namespace {

runtime* joined = nullptr;

/// Says what failed, and where; the printer of all ranks but 0.
class failure_printer : public ::testing::EmptyTestEventListener {
    // Kept, because GoogleTest must not be asked for it while it reports a failure (it holds its lock).
    void OnTestStart(::testing::TestInfo const& test) override { name_ = std::string{test.test_suite_name()} + "." + test.name(); }

    void OnTestPartResult(::testing::TestPartResult const& part) override {
        if (!part.failed()) return;
        std::string const where =
            part.file_name() == nullptr ? "" : std::string{part.file_name()} + ":" + std::to_string(part.line_number()) + ": ";
        std::fprintf(stderr, "[rank %d] %s\n%s%s\n", ranks().rank(), name_.c_str(), where.c_str(), part.message());
    }

    std::string name_;
};

/// Ends a rank whose test has failed: it is out of step with the others, so it must not run on, nor take part in the end of the
/// runtime.
class leave_on_failure : public ::testing::EmptyTestEventListener {
    void OnTestEnd(::testing::TestInfo const& test) override {
        if (!test.result()->Failed()) return;
        std::fprintf(stderr, "[rank %d] %s.%s failed: this rank leaves the job\n", ranks().rank(), test.test_suite_name(),
                     test.name());
        std::fflush(nullptr);
        _exit(1);
    }
};

} // namespace

runtime& ranks() {
    return *joined;
}

} // namespace sode::internal::testing

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    try {
        auto rt =
            sode::internal::testing::has_windows ? sode::runtime{sode::join_with_windows(), argc, argv} : sode::runtime{argc, argv};
        sode::internal::testing::joined = &rt;
        auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
        if (!rt.root()) {
            delete listeners.Release(listeners.default_result_printer());
            listeners.Append(new sode::internal::testing::failure_printer); // GoogleTest deletes it
        }
        listeners.Append(new sode::internal::testing::leave_on_failure);
        return RUN_ALL_TESTS();
    } catch (std::exception const& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
