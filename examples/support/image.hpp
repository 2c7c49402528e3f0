// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace examples {

struct rgb {
    std::uint8_t red = 0, green = 0, blue = 0;
    friend bool operator==(rgb const&, rgb const&) = default;
};
static_assert(sizeof(rgb) == 3, "rows of pixels go to libpng as they are");

/// Row-major from the top, `rows` x `columns`.
template <class T> struct raster {
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::vector<T> pixels;

    raster() = default;
    raster(std::size_t r, std::size_t c) : rows(r), columns(c), pixels(r * c) {}

    [[nodiscard]] T& operator()(std::size_t row, std::size_t column) { return pixels[row * columns + column]; }
    [[nodiscard]] T const& operator()(std::size_t row, std::size_t column) const { return pixels[row * columns + column]; }
};

using image = raster<rgb>;

} // namespace examples
