// SPDX-License-Identifier: Apache-2.0
// Which device has what of an array.
#include "device_parts.hpp"

#include <algorithm>

namespace sode::xmp {

places common(places a, places const& b) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.dims); ++d) {
        a.lower[d] = std::max(a.lower[d], b.lower[d]);
        a.upper[d] = std::min(a.upper[d], b.upper[d]);
    }
    return a;
}

std::vector<device_part> parts_of(places const& all, places const& owned, std::optional<device_layout> const& layout) {
    if (!layout) return {{.device = -1, .has = all, .own = owned, .answers = all}};
    auto const n = static_cast<std::int64_t>(layout->count);
    std::vector<device_part> parts;
    auto nothing = all;
    nothing.upper = nothing.lower;
    if (layout->dim < 0) { // the first one speaks for all
        for (std::int64_t k = 0; k < n; ++k)
            parts.push_back({.device = layout->first + static_cast<int>(k),
                             .has = all,
                             .own = k == 0 ? owned : nothing,
                             .answers = k == 0 ? all : nothing});
        return parts;
    }
    auto const d = static_cast<std::size_t>(layout->dim);
    auto const from = owned.lower[d], to = std::max(owned.upper[d], from), block = (to - from + n - 1) / n;
    auto const last = block == 0 ? 0 : (to - from - 1) / block; // who has something
    for (std::int64_t k = 0; k < n; ++k) {
        device_part p{.device = layout->first + static_cast<int>(k), .has = nothing, .own = nothing, .answers = nothing};
        if (k <= last) {
            p.own = owned;
            p.own.lower[d] = from + k * block;
            p.own.upper[d] = std::min(to, p.own.lower[d] + block);
            p.answers = p.has = all;
            if (k > 0) {
                p.answers.lower[d] = p.own.lower[d];
                p.has.lower[d] = std::max(all.lower[d], p.own.lower[d] - layout->below);
            }
            if (k < last) {
                p.answers.upper[d] = p.own.upper[d];
                p.has.upper[d] = std::min(all.upper[d], p.own.upper[d] + layout->above);
            }
        }
        parts.push_back(p);
    }
    return parts;
}

other_device::other_device(sode_acc_device const& device, int number) : device_(device) {
    if (number < 0) return;
    auto const now = device_.which();
    if (now == number) return;
    before_ = now;
    device_.use(number);
}

other_device::~other_device() {
    if (before_ >= 0) device_.use(before_);
}

} // namespace sode::xmp
