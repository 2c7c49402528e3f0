// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sode::internal::testing {

/// A command, or a part of one.
using words = std::vector<std::string>;

[[nodiscard]] inline words operator+(words a, words const& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

} // namespace sode::internal::testing
