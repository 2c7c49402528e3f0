// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "model/profile_file.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// "128x128x256". Errors: usage.
template <class T> [[nodiscard]] std::vector<T> numbers(std::string_view option, std::string_view text) {
    std::vector<T> list;
    for (auto const* at = text.data();; ++at) {
        T value{};
        auto const [end, status] = std::from_chars(at, text.data() + text.size(), value);
        bool const over = end == text.data() + text.size();
        if (status != std::errc{} || value < 1 || (!over && *end != 'x'))
            throw error{error_kind::usage, fmt::format("{} {} is invalid", option, text),
                        "the value must have one whole number, 1 or more, for each dimension",
                        fmt::format("write {} 128x128x256", option)};
        list.push_back(value);
        if (over) return list;
        at = end;
    }
}

/// That of `--profile`: empty: the one in force; "default": built in.
[[nodiscard]] inline profile profile_of_option(std::string const& option) {
    auto const file = option.empty()        ? profile_in_force(config::from_environment().profile)
                      : option == "default" ? std::string{}
                                            : option;
    return file.empty() ? profile{} : load_profile(file);
}

} // namespace sode::internal::tools
