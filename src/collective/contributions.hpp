// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/reduce.hpp"
#include "plan/builder.hpp"

#include <functional>

namespace sode {

/// Where what one rank contributes lies.
struct contribution {
    std::uint32_t buffer = 0;
    std::int64_t offset = 0;
    std::uint32_t ready = 0; ///< the counter that says so; 0: it is known already
    int peer = -1;
};
using contribution_of = std::function<contribution(int rank)>;

/// Emits to `stream` what combines the contributions of all ranks, in their order, into `result`.
void combine_contributions(plan_builder& b, std::uint16_t stream, reduce_terms const& terms, int ranks, std::uint32_t result,
                           contribution_of const& where);

} // namespace sode
