// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>

#include <cstddef>

namespace sode::detail {

[[noreturn]] SODE_API void refuse_dimension(int d, int dims);

/// Checks that dimension `d` is one of `dims` dimensions, and returns `d` as an array index. Throws a usage error if the dimension
/// does not exist.
[[nodiscard]] inline std::size_t dimension(int d, int dims) {
    if (d < 0 || d >= dims) refuse_dimension(d, dims);
    return static_cast<std::size_t>(d);
}

} // namespace sode::detail
