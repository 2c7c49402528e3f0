// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

namespace sode::internal::bench {

/// Layers [from, to) of a problem.
struct slab {
    long from = 0, to = 0;
    [[nodiscard]] long layers() const noexcept { return to - from; }
};

/// What part `p` of `parts` computes of `layers`: cut as Sode cuts, the first layers mod parts getting one more, without the
/// `reach` outermost layers, which are given.
[[nodiscard]] inline slab part_of(long layers, int parts, int p, long reach = 1) noexcept {
    auto const first = [&](long part) { return layers / parts * part + std::min(part, layers % parts); };
    long const from = std::max(reach, first(p));
    return {from, std::max(from, std::min(layers - reach, first(p + 1)))};
}

/// What part `p` of `parts` computes of the layers of `s`, as even as it gets.
[[nodiscard]] inline slab part_of(slab s, int parts, int p) noexcept {
    return {s.from + s.layers() * p / parts, s.from + s.layers() * (p + 1) / parts};
}

/// With the outermost layers of the whole, if it touches them.
[[nodiscard]] inline slab with_ends(slab s, long layers, long reach = 1) noexcept {
    return {s.from == reach ? 0 : s.from, s.to == layers - reach ? layers : s.to};
}

} // namespace sode::internal::bench
