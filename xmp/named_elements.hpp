// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "local_parts.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sode::xmp {

/// The elements that a side of a gmove names, in row-major order.
class named_elements {
public:
    explicit named_elements(sode_xmp_side const& side) : side_(side), counts_(counts_of(side)) {}

    [[nodiscard]] std::int64_t count() const {
        std::int64_t n = 1;
        for (auto const c : counts_) n *= c;
        return n;
    }
    /// The indices of the k-th.
    [[nodiscard]] std::vector<std::int64_t> indices(std::int64_t k) const {
        std::vector<std::int64_t> at(counts_.size());
        for (auto d = at.size(); d-- > 0; k /= counts_[d]) at[d] = side_.part[d].lower + k % counts_[d] * side_.part[d].step;
        return at;
    }
    /// Where memory of this rank has it.
    [[nodiscard]] char* local(std::int64_t k) const {
        auto const at = indices(k);
        std::int64_t place = 0;
        for (std::size_t d = 0; d < at.size(); ++d) place = place * side_.extents[d] + at[d];
        return static_cast<char*>(side_.local) + place * static_cast<std::int64_t>(side_.type >> 8);
    }

private:
    sode_xmp_side const& side_;
    std::vector<std::int64_t> counts_;
};

} // namespace sode::xmp
