// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "coarrays.hpp"

namespace sode::xmp {

/// The place in a coarray that a device address of this image means: images of it have no address, so that each access is a put or
/// a get. Null: it is in none.
[[nodiscard]] place find_device_place(void const* local);

} // namespace sode::xmp
