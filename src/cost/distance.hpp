// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// How far apart two ranks are, as far as choices go: in cache lines of one memory, or on machines that share none.
enum class distance : std::uint8_t { near, far, other_machine };

} // namespace sode::internal
