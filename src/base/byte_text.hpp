// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sode::internal {

/// A number of bytes for people: "512 B", "2 MiB", "7.8 GiB".
[[nodiscard]] std::string byte_text(std::uint64_t bytes);

} // namespace sode::internal
