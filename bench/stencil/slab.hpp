// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace sode::bench {

/// Layers [from, to) of a problem.
struct slab {
    long from = 0, to = 0;
    [[nodiscard]] long layers() const noexcept { return to - from; }
};

/// What part `p` of `parts` computes of `layers`: cut as Sode cuts, blocks of ceil(layers / parts), without the outermost layers,
/// which are given.
[[nodiscard]] inline slab part_of(long layers, int parts, int p) noexcept {
    long const chunk = (layers + parts - 1) / parts;
    return {std::max(1L, chunk * p), std::max(std::max(1L, chunk * p), std::min(layers - 1, chunk * (p + 1)))};
}

/// What part `p` of `parts` computes of the layers of `s`, as even as it gets.
[[nodiscard]] inline slab part_of(slab s, int parts, int p) noexcept {
    return {s.from + s.layers() * p / parts, s.from + s.layers() * (p + 1) / parts};
}

/// With the outermost layers of the whole, if it touches them.
[[nodiscard]] inline slab with_ends(slab s, long layers) noexcept {
    return {s.from == 1 ? 0 : s.from, s.to == layers - 1 ? layers : s.to};
}

} // namespace sode::bench
