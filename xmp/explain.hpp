// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace sode::xmp {

/// SODE_EXPLAIN=1: rank 0 says over which nodes an exchange goes that was planned at `at`, and which way each face.
void explain(char const* at, sode_xmp_array_state const& array, sode_exchange* exchange);

} // namespace sode::xmp
