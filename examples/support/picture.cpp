// SPDX-License-Identifier: Apache-2.0
#include "support/picture.hpp"

#include "support/png.hpp"
#include "support/preview.hpp"
#include "support/reduced.hpp"

#include <cstdio>
#include <unistd.h>

namespace examples {
namespace {

/// What rank 0 wants, on every rank: only there stdout may be a terminal.
bool agreed(sode::runtime const& rt, bool wanted) {
    sode::grid<1> const one_each{rt, {rt.size()}};
    return sode::reduce(one_each.on({{0}, {1}}), 0, sode::max, [wanted](auto) { return wanted ? 1 : 0; }) != 0;
}

} // namespace

void show(sode::runtime const& rt, sode::buffered<double, 2> const& plate, image (*colours)(raster<double> const&)) {
    constexpr std::size_t largest = 2048, terminal = 64;
    if (auto const file = rt.arg("--picture", ""); !file.empty()) {
        auto const values = reduced(plate, largest, 0);
        if (rt.root()) {
            write_png(file, colours(values));
            std::printf("picture %s (%zu x %zu)\n", file.c_str(), values.columns, values.rows);
        }
    }
    if (agreed(rt, rt.flag("--preview") || isatty(STDOUT_FILENO) != 0)) {
        auto const values = reduced(plate, terminal, 0);
        if (rt.root()) std::fputs(half_blocks(colours(values)).c_str(), stdout);
    }
}

} // namespace examples
