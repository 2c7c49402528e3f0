// SPDX-License-Identifier: Apache-2.0
#include "support/water_colours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace examples {
namespace {

using colour = std::array<double, 3>;

// From trough to crest.
constexpr std::array<colour, 5> scale{
    {{0.02, 0.07, 0.20}, {0.03, 0.22, 0.42}, {0.06, 0.42, 0.58}, {0.36, 0.72, 0.76}, {0.95, 0.98, 0.96}}};

colour base(double height) { // -1 … 1
    double const at = (std::clamp(height, -1.0, 1.0) + 1) / 2 * (scale.size() - 1);
    auto const k = std::min(static_cast<std::size_t>(at), scale.size() - 2);
    double const f = at - static_cast<double>(k);
    colour c;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = (1 - f) * scale[k][i] + f * scale[k + 1][i];
    return c;
}

std::uint8_t byte(double v) {
    return static_cast<std::uint8_t>(std::lround(255 * std::clamp(v, 0.0, 1.0)));
}

} // namespace

image water_surface(raster<double> const& depths) {
    image picture{depths.rows, depths.columns};
    if (depths.pixels.empty()) return picture;
    double const mean =
        std::accumulate(depths.pixels.begin(), depths.pixels.end(), 0.0) / static_cast<double>(depths.pixels.size());
    auto const [lowest, highest] = std::minmax_element(depths.pixels.begin(), depths.pixels.end());
    double const span = std::max({*highest - mean, mean - *lowest, 1e-6 * std::abs(mean)});

    // The whole span is as high as some part of the picture is wide; so slopes look alike at any resolution.
    double const steepness = 0.1 * static_cast<double>(std::max(depths.rows, depths.columns)) / span;
    auto const slope = [&](std::size_t r, std::size_t c, std::size_t r2, std::size_t c2) {
        return steepness * (depths(r2, c2) - depths(r, c)) / static_cast<double>(std::max<std::size_t>(r2 - r + c2 - c, 1));
    };
    for (std::size_t r = 0; r < depths.rows; ++r)
        for (std::size_t c = 0; c < depths.columns; ++c) {
            double const down = slope(r - (r > 0 ? 1 : 0), c, std::min(r + 1, depths.rows - 1), c);
            double const right = slope(r, c - (c > 0 ? 1 : 0), r, std::min(c + 1, depths.columns - 1));
            double const facing = (down + right + 2) / std::sqrt(6 * (down * down + right * right + 1)); // cosine to the light
            double const light = 0.35 + 0.8 * std::max(facing, 0.0);
            double const glint = 0.5 * std::pow(std::max(facing, 0.0), 40);
            auto const water = base((depths(r, c) - mean) / span);
            picture(r, c) = {byte(water[0] * light + glint), byte(water[1] * light + glint), byte(water[2] * light + glint)};
        }
    return picture;
}

} // namespace examples
