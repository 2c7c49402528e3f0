// SPDX-License-Identifier: Apache-2.0
#include <sode/error.hpp>
#include <sode/shadow.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode {

shadow::shadow(std::span<layers const> by_dimension) {
    if (by_dimension.size() > layers_.size())
        throw error{error_kind::usage, fmt::format("a shadow has entries for {} dimensions", by_dimension.size()),
                    fmt::format("an array has at most {} dimensions", max_dims),
                    "pass one entry for all dimensions, or one entry for each dimension"};
    for (auto const& l : by_dimension)
        if (l.lower < 0 || l.upper < 0)
            throw error{error_kind::usage, fmt::format("a shadow has a width of {}:{} elements", l.lower, l.upper),
                        "a width must be 0 or more", "pass widths of 0 or more"};
    std::copy(by_dimension.begin(), by_dimension.end(), layers_.begin());
    given_ = static_cast<int>(by_dimension.size());
}

shadow::layers shadow::at(int d, int dims) const {
    if (given_ == 0) return {};
    if (given_ == 1) return layers_[0];
    if (given_ != dims)
        throw error{error_kind::usage, fmt::format("a shadow has entries for {} dimensions", given_),
                    fmt::format("the array has {} dimensions", dims),
                    "pass one entry for all dimensions, or one entry for each dimension"};
    return layers_[static_cast<std::size_t>(d)];
}

void detail::widths_of(shadow const& s, int dims, std::span<index_t> lower, std::span<index_t> upper) {
    for (int d = 0; d < dims; ++d) {
        auto const l = s.at(d, dims);
        if (l.whole)
            throw error{error_kind::usage, fmt::format("a loop would omit the whole dimension {}", d),
                        "the width is sode::full, which is not a number of layers", "pass a number of layers"};
        lower[static_cast<std::size_t>(d)] = l.lower;
        upper[static_cast<std::size_t>(d)] = l.upper;
    }
}

} // namespace sode
