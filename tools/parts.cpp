// SPDX-License-Identifier: Apache-2.0
#include "parts.hpp"

#include "base/sibling.hpp"
#include <filesystem>
#include <fmt/format.h>
#include <sode/error.hpp>

namespace sode::internal::tools {

std::string part_of_sode(std::vector<std::string> const& places, std::string const& problem, char const* suggestion) {
    auto const here = folder_of_this_program();
    for (auto const& place : places)
        if (std::error_code none; std::filesystem::exists(here / place, none))
            return std::filesystem::canonical(here / place).string();
    throw error{error_kind::environment, problem,
                fmt::format("neither {} nor {} exists, relative to {}", places[0], places[1], here.string()), suggestion};
}

} // namespace sode::internal::tools
