// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

namespace sode::internal::testing {

inline constexpr int traced_exchanges = 7;

/// So many exchanges of "u", and then one of it and one of another array at the same time. In exchange `dies_at` the last rank
/// kills itself.
void traced_program(runtime& rt, int dies_at = -1);

} // namespace sode::internal::testing
