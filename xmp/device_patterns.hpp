// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device_boxes.hpp"

#include <sode/sode.h>

namespace sode::xmp {

/// Lowest byte and one past the highest byte of a pattern.
struct bytes_between {
    std::int64_t first, end;
};
[[nodiscard]] bytes_between extent_of(sode_pattern const& p);
/// Copies the bytes of a pattern between a device, where the pattern's offsets are behind `base`, and packed memory of the host. A
/// kernel packs what is in many pieces.
void move_pattern(sode_acc_device const& device, char* base, sode_pattern const& what, char* packed, bool to_device);
/// The same in memory of the host.
void move_pattern(char* base, sode_pattern const& what, char* packed, bool from_packed);

} // namespace sode::xmp
