// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "plan/verify.hpp"

namespace sode::internal {

/// The halo exchange of one rank as a plan: plan_edges() of its edges, with the steps that fill what lies outside the domain. Pure.
/// Cost: O(neighbours * slots).
[[nodiscard]] plan build_halo(halo_spec const& spec, int rank);

/// How many layers of a rank's block must wait for the exchange, on each side: what a kernel reads across, and what neighbours may
/// be reading until wait(), or what is copied outside the domain. Nothing where there is no neighbour, and no boundary condition.
struct halo_margin {
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
};
[[nodiscard]] halo_margin margin_of(halo_spec const& spec, int rank);

/// How that rank's user meets its arrays: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> halo_models(halo_spec const& spec, int rank);

} // namespace sode::internal
