// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/machine_map.hpp"
#include "cost/profile.hpp"
#include "plan/plan.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::tools {

/// A collective of machines that nobody has.
struct planned_collective {
    std::string collective; ///< "allreduce"
    std::int64_t bytes = 0; ///< that each rank gives; of alltoall: to each rank
    int machines = 1;
    int ranks = 1; ///< of a machine
    std::vector<int> torus{};
    int subcluster = 0;
};

/// One way to run it.
struct plan_candidate {
    std::string name;
    int leaders = 1;
    bool chosen = false;   ///< by the model, or asked for
    std::string refuses{}; ///< why its plans are not built
    std::function<plan(int rank)> build{};
};

struct plan_candidates {
    std::string title{};
    machine_map machines{1};
    std::int64_t bytes = 0;
    std::vector<plan_candidate> list{};

    [[nodiscard]] plan_candidate const& chosen() const;
};

/// All that can run it. `forced`: what is to be chosen of them, as users ask for it; empty: the model chooses.
/// Errors: usage, for a collective or an algorithm that there is not, or one that cannot.
[[nodiscard]] plan_candidates candidates_for(planned_collective const& what, profile const& costs, std::string_view forced);

} // namespace sode::internal::tools
