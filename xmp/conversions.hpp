// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <sode/sode.h>

namespace sode::xmp {

/// Elements of one type become those of another, as C's assignment makes them. False: one of the types is no number.
[[nodiscard]] bool convert(void const* from, sode_type from_type, void* to, sode_type to_type, std::size_t count);

} // namespace sode::xmp
