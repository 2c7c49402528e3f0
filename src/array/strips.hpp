// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "layout/section.hpp"

#include <sode/geometry.hpp>

#include <vector>

namespace sode::internal {

/// What is picked of an array along one dimension, and one node's share in it: element k is index picked.lower + k * picked.step,
/// and the node is the one at `coordinate` of the axis.
struct strand {
    axis const* along = nullptr;
    int coordinate = 0;
    range picked;
};

/// Elements first + j * period + i with 0 <= j < count and 0 <= i < length: neighbours that recur. Along each strand that has all
/// of them their places are linear in i and in j.
struct strip {
    index_t first = 0;
    index_t length = 0;
    index_t count = 1;
    index_t period = 0;
};

/// The elements that the nodes of both strands have; each once. `a` and `b` pick equally many.
/// Cost: O(strips within one common period), whatever the extents.
[[nodiscard]] std::vector<strip> common_strips(strand const& a, strand const& b);

/// Where the elements of a strip lie along an axis.
struct stretch {
    index_t place = 0;  ///< of the first one
    index_t step = 1;   ///< between neighbours
    index_t length = 1; ///< neighbours
    index_t recurs = 0; ///< between recurrences
    index_t count = 1;
};
[[nodiscard]] stretch stretch_of(strand const& s, strip const& r);

/// Calls f(choice) for every way to choose one strip of each dimension, the last dimension varying fastest; `choice[d]` is of
/// `strips[d]`. Not at all where a dimension has none.
template <class F> void for_each_choice(std::vector<std::vector<strip>> const& strips, F f) {
    std::vector<strip> choice;
    for (auto const& list : strips) {
        if (list.empty()) return;
        choice.push_back(list.front());
    }
    std::vector<std::size_t> at(strips.size(), 0);
    for (;;) {
        f(choice);
        std::size_t d = strips.size();
        for (; d > 0; --d) {
            at[d - 1] = (at[d - 1] + 1) % strips[d - 1].size();
            choice[d - 1] = strips[d - 1][at[d - 1]];
            if (at[d - 1] != 0) break;
        }
        if (d == 0) return;
    }
}

} // namespace sode::internal
