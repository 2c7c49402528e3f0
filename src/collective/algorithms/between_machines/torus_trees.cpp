// SPDX-License-Identifier: Apache-2.0
#include "collective/algorithms/between_machines/torus_trees.hpp"

#include <algorithm>

namespace sode::internal {

torus_trees::torus_trees(std::span<int const> extents, int root) : root_(root) {
    int stride = 1;
    for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d])
        if (extents[d] > 1) dimensions_.push_back({extents[d], stride, root / stride % extents[d]});
    std::reverse(dimensions_.begin(), dimensions_.end());
}

int torus_trees::beside(dimension const& d, int machine, int by) const noexcept {
    int const at = machine / d.stride % d.extent, to = (at + by + d.extent) % d.extent;
    return machine + (to - at) * d.stride;
}

int torus_trees::dimension_to(int tree, int machine) const {
    auto const all = trees();
    if (machine == root_ || place(dimensions_[static_cast<std::size_t>(tree)], machine) == 0) return machine == root_ ? -1 : tree;
    for (int after = 1; after < all; ++after)
        if (int const d = (tree + after) % all; place(dimensions_[static_cast<std::size_t>(d)], machine) != 0) return d;
    return tree;
}

int torus_trees::parent(int tree, int machine) const {
    auto const d = dimension_to(tree, machine);
    return d < 0 ? -1 : beside(dimensions_[static_cast<std::size_t>(d)], machine, -1);
}

std::vector<int> torus_trees::children(int tree, int machine) const {
    std::vector<int> list;
    for (auto const& d : dimensions_)
        if (int const next = beside(d, machine, 1); parent(tree, next) == machine) list.push_back(next);
    return list;
}

// To the last place of each dimension, and around one of them.
int torus_trees::depth() const noexcept {
    int sum = dimensions_.size() > 1 ? 1 : 0;
    for (auto const& d : dimensions_) sum += d.extent - 1;
    return sum;
}

std::vector<int> nearest_to_cube(int machines) {
    std::vector<int> best{1, 1, machines};
    for (int a = 1; a * a * a <= machines; ++a) {
        if (machines % a != 0) continue;
        for (int b = a; b * b <= machines / a; ++b)
            if (machines / a % b == 0 && a + b + machines / a / b < best[0] + best[1] + best[2]) best = {a, b, machines / a / b};
    }
    return best;
}

} // namespace sode::internal
