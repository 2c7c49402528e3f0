// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/parse_bytes.hpp"

#include <sode/error.hpp>

#include <charconv>
#include <fmt/format.h>

namespace sode::internal::tasks {

std::uint64_t parse_number(std::string_view option, std::string_view text, std::uint64_t most) {
    std::uint64_t value = 0;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size() || value > most)
        throw error{error_kind::usage, fmt::format("--{}={} is invalid", option, text),
                    fmt::format("the value is not a number from 0 to {}", most), "pass a number in this range"};
    return value;
}

std::uint64_t parse_bytes(std::string_view option, std::string_view text) {
    auto digits = text;
    int shift = 0;
    constexpr std::string_view suffixes = "KMGT";
    if (!digits.empty()) {
        if (auto const at = suffixes.find(digits.back()); at != std::string_view::npos) {
            shift = 10 * (static_cast<int>(at) + 1);
            digits.remove_suffix(1);
        }
    }
    return parse_number(option, digits, (std::uint64_t{1} << 47) >> shift) << shift;
}

} // namespace sode::internal::tasks
