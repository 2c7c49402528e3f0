// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sode::internal {

/// Two hexadecimal digits for each of `bytes` random bytes, at most 64: a name that nobody can guess and take first. Errors:
/// environment, if the kernel has no random numbers.
[[nodiscard]] std::string random_digits(std::size_t bytes);

} // namespace sode::internal
