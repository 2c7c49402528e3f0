// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/copy_sequence.hpp"

#include <vector>

namespace sode::internal {

/// How a message goes from one layout straight to another.
struct pair_program {
    copy_sequence whole;
    /// The same in pieces, no two of which write one line; at least one. Two processors take them from both ends.
    std::vector<copy_sequence> pieces;
};

} // namespace sode::internal
