// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

#include <xmp.h>

namespace sode::xmp {

/// What a descriptor describes; null, if that is something else.
[[nodiscard]] sode_xmp_nodes* nodes_of(xmp_desc_t descriptor);
[[nodiscard]] sode_xmp_template* template_of(xmp_desc_t descriptor);
[[nodiscard]] sode_xmp_array* array_of(xmp_desc_t descriptor);

} // namespace sode::xmp
