// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/directives.h>
#include <vector>

namespace sode::xmp {

/// The two sides of a gmove with the ranges of arrays in ascending order, as plans have them. Memory of a rank, which is packed,
/// may be walked through either way, so that it follows the array.
class upward {
public:
    upward(sode_xmp_side const& left, sode_xmp_side const& right);
    upward(upward const&) = delete;
    upward& operator=(upward const&) = delete;

    sode_xmp_side to, from;
    /// One array is walked through upward and the other downward in the same dimension: no plan does that.
    bool crossed = false;

private:
    std::vector<sode_range> to_part_, from_part_;
};

/// The same indices, from the last one to the first.
[[nodiscard]] sode_range reversed(sode_range const& r);

} // namespace sode::xmp
