// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_plan.hpp"

#include "array/halo/halo_edges.hpp"
#include "array/halo/wall_steps.hpp"

namespace sode::internal {

plan build_halo(halo_spec const& spec, int rank) {
    plan_builder build{spec.name, rank, spec.ranks()};
    halo_edges const edges{spec};
    wall_steps walls{spec, edges, rank, build};
    return plan_edges(edges, build, walls);
}

} // namespace sode::internal
