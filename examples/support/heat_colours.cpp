// SPDX-License-Identifier: Apache-2.0
#include "support/heat_colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace examples {
namespace {

using polynomial = std::array<double, 7>;
constexpr polynomial red{0.000219, 0.106513, 11.602493, -41.703996, 77.162936, -71.319428, 25.131126};
constexpr polynomial green{0.001651, 0.563956, -3.972854, 17.436399, -33.402359, 32.626064, -12.242669};
constexpr polynomial blue{-0.019481, 3.932712, -15.942394, 44.354145, -81.807309, 73.209520, -23.070325};

std::uint8_t value(polynomial const& p, double t) noexcept {
    double sum = 0;
    for (auto c = p.rbegin(); c != p.rend(); ++c) sum = sum * t + *c;
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(sum, 0.0, 1.0)));
}

} // namespace

rgb heat_colour(double temperature) noexcept {
    double const t = std::clamp(temperature, 0.0, 1.0);
    return {value(red, t), value(green, t), value(blue, t)};
}

image heat_map(raster<double> const& temperatures) {
    image picture{temperatures.rows, temperatures.columns};
    std::transform(temperatures.pixels.begin(), temperatures.pixels.end(), picture.pixels.begin(), heat_colour);
    return picture;
}

} // namespace examples
