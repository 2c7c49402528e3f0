// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"
#include "model/profile_file.hpp"
#include "space/space.hpp"
#include "tune/checks.hpp"
#include "tune/datatype_estimate.hpp"

#include <functional>
#include <vector>

namespace sode::internal::tools {

/// How long to measure.
struct campaign_plan {
    double seconds = 25;       ///< at most
    std::size_t enough = 200;  ///< blocks of everything that can be seen
    bool one_distance = false; ///< is one of near and far enough?
};

/// What blocks of measurements came to.
struct campaign_result {
    std::vector<pair_costs> near;
    std::vector<pair_costs> far;
    std::vector<copy_times> near_copies; ///< as many as `near`
    std::vector<copy_times> far_copies;
    std::vector<check_times> near_checks; ///< as many
    std::vector<check_times> far_checks;
    std::vector<profile> local;
    std::size_t dropped = 0; ///< blocks during which the distance changed, or was unknown
};

/// How far it is, 0 to 1; called at rank 0 after every block.
using campaign_progress = std::function<void(double done, campaign_result const& so_far)>;

/// Collective of one rank or two. A block between two ranks counts for the distance that a probe finds before and after it, if both
/// agree: cores of virtual machines change their places. One rank measures what a core alone knows.
/// Only rank 0 gets a result. Errors: peer, timeout.
[[nodiscard]] campaign_result run_campaign(bootstrap& boot, space& memory, campaign_plan const& plan,
                                           campaign_progress const& progress);

} // namespace sode::internal::tools
