// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sode::internal {

/// Bytes one behind the other that are combined in one way.
struct reduced_part {
    std::int64_t bytes = 0;
    std::uint32_t combiner = 0; ///< as in plan/reduction.hpp

    friend bool operator==(reduced_part const&, reduced_part const&) = default;
};

} // namespace sode::internal
