// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace sode::internal::tasks {

/// A number in the text of the option --`option`. Errors: usage.
[[nodiscard]] std::uint64_t parse_number(std::string_view option, std::string_view text, std::uint64_t most);

/// A number of bytes, like "64G", "8M", "4096". Errors: usage.
[[nodiscard]] std::uint64_t parse_bytes(std::string_view option, std::string_view text);

} // namespace sode::internal::tasks
