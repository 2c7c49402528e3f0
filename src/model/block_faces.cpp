// SPDX-License-Identifier: Apache-2.0
#include "model/block_faces.hpp"

#include "base/position.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace sode::internal {
namespace {

// Arrays that nobody could have are refused where they are made, not where a grid is compared for them: here they are merely long.
std::int64_t times(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

} // namespace

int block_grid::size() const noexcept {
    return std::accumulate(blocks.begin(), blocks.end(), 1, std::multiplies{});
}

std::int64_t block_grid::block(int d, int c) const noexcept {
    auto const extent = extents[pos(d)];
    auto const n = blocks[pos(d)];
    return extent / n + (c < extent % n ? 1 : 0);
}

edge_features block_grid::face(int d, std::span<std::int64_t const> elements) const noexcept {
    std::int64_t all = width, run = 1;
    for (int e = 0; e < dims(); ++e)
        if (e != d) all = times(all, elements[pos(e)]);
    if (all == 0) return {.bytes = 0, .rows = 0};
    int e = dims() - 1;
    for (; e > d; --e) {
        run = times(run, elements[pos(e)]);
        if (blocks[pos(e)] > 1) break;
    }
    // Its own layers lie side by side if all behind it is whole, and then what is before them is one row if there is one of it.
    if (e == d) run = times(run, width);
    std::int64_t pitch = element_bytes;
    for (int f = e; f < dims(); ++f) pitch = times(pitch, elements[pos(f)]);
    return {.bytes = times(all, element_bytes), .rows = all / run, .row_bytes = times(run, element_bytes), .pitch = pitch};
}

std::vector<network_edge> edges_of(block_grid const& g) {
    std::vector<network_edge> list;
    std::vector<int> at(g.blocks.size());
    std::vector<std::int64_t> elements(g.blocks.size());
    for (int k = 0; k < g.size(); ++k) {
        for (int d = g.dims(), rest = k; d-- > 0; rest /= g.blocks[pos(d)]) {
            at[pos(d)] = rest % g.blocks[pos(d)];
            elements[pos(d)] = g.block(d, at[pos(d)]);
        }
        int stride = g.size(), cut = -1;
        for (int d = 0; d < g.dims(); ++d) {
            int const n = g.blocks[pos(d)];
            stride /= n;
            if (n == 1) continue;
            ++cut;
            auto const face = g.face(d, elements);
            if (face.bytes == 0 || elements[pos(d)] == 0) continue;
            for (int const side : {0, 1}) {
                int const next = at[pos(d)] + (side == 0 ? -1 : 1);
                if ((next < 0 || next >= n) && !g.periodic) continue;
                int const there = (next + n) % n;
                if (g.block(d, there) == 0) continue;
                list.push_back({.source = k,
                                .target = k + (there - at[pos(d)]) * stride,
                                .face = 2 * cut + side,
                                .bytes = face.bytes,
                                .rows = face.rows,
                                .row_bytes = face.row_bytes});
            }
        }
    }
    return list;
}

std::vector<std::string> face_names(block_grid const& g) {
    std::vector<std::string> names;
    for (int d = 0; d < g.dims(); ++d)
        if (g.blocks[pos(d)] > 1)
            for (char const side : {'-', '+'}) names.push_back(fmt::format("{}{}", d, side));
    return names;
}

} // namespace sode::internal
