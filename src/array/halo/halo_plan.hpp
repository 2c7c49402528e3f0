// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"
#include "plan/verify.hpp"

namespace sode {

/// The halo exchange of one rank as a plan. Pure: any rank's plan can be built anywhere, which is what lets verify() hold the plans
/// of 127 ranks against each other in one process.
///
/// Protocol (docs/decisions/0002): a rank says "my arrays are ready", packs what is staged, says "my stage is ready", serves
/// itself, and then, per neighbour and in any order of their arrival, pulls and unpacks. A reader acknowledges only where nothing
/// else proves that its reads are over. Cost: O(neighbours * slots).
[[nodiscard]] plan build_halo(halo_spec const& spec, int rank);

/// How many layers of a rank's block must wait for the exchange, on each side: what a kernel reads across, and what neighbours may
/// be reading until wait(). Nothing where there is no neighbour.
struct halo_margin {
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
};
[[nodiscard]] halo_margin margin_of(halo_spec const& spec, int rank);

/// How that rank's user meets its arrays: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> halo_models(halo_spec const& spec, int rank);

} // namespace sode
