// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace sode::xmp {

/// An array goes: the plans of gmoves that know it go, too.
void forget_moves(sode_xmp_array_state const& array);

} // namespace sode::xmp
