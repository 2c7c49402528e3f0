// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/pattern.hpp"

#include <vector>

namespace sode::internal::bench {

/// What one of two ranks sends to the other in the transposition of bench/datatypes/transpose.hpp, as a pattern.
[[nodiscard]] std::vector<pattern_case> fft_blocks();

} // namespace sode::internal::bench
