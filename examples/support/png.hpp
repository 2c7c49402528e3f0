// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/image.hpp"

#include <string>

namespace examples {

/// Writes `picture` as an 8-bit RGB file. Errors: std::runtime_error, if the file cannot be written or the picture is empty.
void write_png(std::string const& file, image const& picture);

} // namespace examples
