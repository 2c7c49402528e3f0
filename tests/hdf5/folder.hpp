// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

#include <filesystem>
#include <set>
#include <string>

namespace sode::internal::testing {

/// An empty folder for the ranks of one test, the same on all; it stays behind, so that one can look at what a test has written.
/// Collective.
class folder {
public:
    /// \param name  differs between tests that may run at the same time
    folder(runtime& rt, std::string const& name) : path_(std::filesystem::path{SODE_TEST_FOLDER} / name) {
        if (rt.root()) {
            std::filesystem::remove_all(path_);
            std::filesystem::create_directories(path_);
        }
        rt.barrier();
    }

    [[nodiscard]] std::string operator/(std::string const& file) const { return (path_ / file).string(); }
    /// What is in it.
    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> found;
        for (auto const& entry : std::filesystem::directory_iterator{path_}) found.insert(entry.path().filename());
        return found;
    }

private:
    std::filesystem::path path_;
};

} // namespace sode::internal::testing
