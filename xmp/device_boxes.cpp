// SPDX-License-Identifier: Apache-2.0
// Parts of arrays as kernels and copies want them.
#include "device_boxes.hpp"

#include <algorithm>
#include <utility>

namespace sode::xmp {

bool places::empty() const {
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d)
        if (upper[d] <= lower[d]) return true;
    return false;
}

std::int64_t places::count() const {
    if (empty()) return 0;
    std::int64_t n = 1;
    for (std::size_t d = 0; d < static_cast<std::size_t>(dims); ++d) n *= upper[d] - lower[d];
    return n;
}

sode_acc_box box_of(places const& what, lying const& how, std::int64_t packed) {
    sode_acc_box box{};
    std::size_t unit = 8;
    while (how.bytes % unit != 0) unit /= 2;
    auto const units = static_cast<std::int64_t>(how.bytes / unit);
    box.unit = static_cast<int>(unit);
    box.packed = packed * units;
    std::vector<std::pair<std::int64_t, std::int64_t>> dims; // counts and strides, the innermost first
    dims.emplace_back(units, 1);
    for (auto d = static_cast<std::size_t>(what.dims); d-- > 0;) {
        box.first += what.lower[d] * how.strides[d] * units;
        auto const count = what.upper[d] - what.lower[d], stride = how.strides[d] * units;
        if (count == 1) continue;
        if (dims.back().first * dims.back().second == stride)
            dims.back().first *= count;
        else
            dims.emplace_back(count, stride);
    }
    std::fill_n(box.counts, 8, 1);
    for (std::size_t k = 0; k < dims.size(); ++k) {
        box.counts[7 - k] = dims[k].first;
        box.strides[7 - k] = dims[k].second;
    }
    if (what.empty()) box.counts[0] = 0;
    return box;
}

std::int64_t runs_of(sode_acc_box const& box) {
    std::int64_t n = 1;
    for (std::size_t d = 0; d < 7; ++d) n *= box.counts[d];
    return n;
}

void for_each_run(sode_acc_box const& box, std::function<void(std::int64_t, std::int64_t, std::size_t)> const& act) {
    auto const all = runs_of(box);
    auto const bytes = box.counts[7] * box.unit;
    for (std::int64_t k = 0; k < all; ++k) {
        auto at = box.first;
        auto rest = k;
        for (std::size_t d = 7; d-- > 0;) {
            at += rest % box.counts[d] * box.strides[d];
            rest /= box.counts[d];
        }
        act(at * box.unit, box.packed * box.unit + k * bytes, static_cast<std::size_t>(bytes));
    }
}

std::vector<places> shell(places outer, places const& inner, bool corners) {
    std::vector<places> result;
    auto const whole = outer;
    for (std::size_t d = 0; d < static_cast<std::size_t>(outer.dims); ++d) {
        auto slab = outer;
        if (!corners) {
            slab = inner;
            slab.lower[d] = whole.lower[d];
            slab.upper[d] = whole.upper[d];
        }
        auto below = slab, above = slab;
        below.upper[d] = std::clamp(inner.lower[d], whole.lower[d], whole.upper[d]);
        above.lower[d] = std::clamp(inner.upper[d], below.upper[d], whole.upper[d]);
        for (auto const& part : {below, above})
            if (!part.empty()) result.push_back(part);
        outer.lower[d] = below.upper[d];
        outer.upper[d] = above.lower[d];
    }
    return result;
}

} // namespace sode::xmp
