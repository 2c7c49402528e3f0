// SPDX-License-Identifier: Apache-2.0
#include "support/png.hpp"

#include <png.h>

#include <stdexcept>

namespace examples {

void write_png(std::string const& file, image const& picture) {
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = static_cast<png_uint_32>(picture.columns);
    png.height = static_cast<png_uint_32>(picture.rows);
    png.format = PNG_FORMAT_RGB;
    if (png_image_write_to_file(&png, file.c_str(), 0, picture.pixels.data(), 0, nullptr) == 0)
        throw std::runtime_error{"cannot write the picture " + file + " (" + png.message + ")"};
}

} // namespace examples
