// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"
#include "process.hpp"

namespace sode::xmp {

/// Ends the program unless all of `among` have the same elements of the array.
void require_copies(char const* at, sode_xmp_array_state const& s, sode_xmp_set const& among);

} // namespace sode::xmp
