// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/image.hpp"

#include <string>

namespace examples {

/// `picture` as text for a terminal with true colour: a character shows two pixels, one above the other (U+2580, the upper half
/// block, in the colour of the one on the other's).
[[nodiscard]] std::string half_blocks(image const& picture);

} // namespace examples
