// SPDX-License-Identifier: Apache-2.0
#include "base/sibling.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace sode::internal {

std::filesystem::path folder_of_this_program() {
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
}

std::string find_sibling(std::vector<std::string_view> const& places, std::string_view problem, std::string_view suggestion) {
    auto const here = folder_of_this_program();
    std::vector<std::string> paths;
    for (auto const place : places) {
        paths.push_back((here / place).lexically_normal().string());
        if (::access(paths.back().c_str(), X_OK) == 0) return paths.back();
    }
    throw error{error_kind::environment, problem, fmt::format("no {}", fmt::join(paths, " and no ")), suggestion};
}

} // namespace sode::internal
