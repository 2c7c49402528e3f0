// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/layout.hpp"

#include <string>
#include <vector>

namespace sode::internal::bench {

/// A copy worth measuring.
struct copy_case {
    std::string name;
    layout source;
    layout target;
};

/// Faces of a box of 64^3 elements with a halo, packed, unpacked and box to box; rows of 1 byte to 8 KB; transposes.
[[nodiscard]] std::vector<copy_case> copy_cases();

} // namespace sode::internal::bench
