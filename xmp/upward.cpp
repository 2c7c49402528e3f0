// SPDX-License-Identifier: Apache-2.0
#include "upward.hpp"

#include "local_parts.hpp"

namespace sode::xmp {
namespace {

// The dimensions in which a side names several elements: those of both sides belong together, one after the other.
std::vector<std::size_t> counting(std::vector<sode_range>& part) {
    std::vector<std::size_t> dims;
    for (std::size_t d = 0; d < part.size(); ++d)
        if (auto const n = count_of(part[d]); n != 1)
            dims.push_back(d);
        else
            part[d] = {part[d].lower, part[d].lower + 1, 1};
    return dims;
}

} // namespace

sode_range reversed(sode_range const& r) {
    auto const n = count_of(r);
    return n == 0 ? sode_range{0, 0, 1} : sode_range{r.lower + (n - 1) * r.step, r.lower + 1, -r.step};
}

upward::upward(sode_xmp_side const& left, sode_xmp_side const& right)
    : to(left), from(right), to_part_(left.part, left.part + left.dims), from_part_(right.part, right.part + right.dims) {
    to.part = to_part_.data();
    from.part = from_part_.data();
    auto const here = counting(to_part_), there = counting(from_part_);
    if (here.size() != there.size()) return; // an error, as require_alike() says
    for (std::size_t k = 0; k < here.size(); ++k) {
        auto &a = to_part_[here[k]], &b = from_part_[there[k]];
        bool const down = to.array ? a.step < 0 : b.step < 0;
        if (to.array && from.array && (a.step < 0) != (b.step < 0))
            crossed = true;
        else if (down) {
            a = reversed(a);
            b = reversed(b);
        }
    }
}

} // namespace sode::xmp
