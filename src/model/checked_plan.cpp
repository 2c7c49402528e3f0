// SPDX-License-Identifier: Apache-2.0
#include "model/checked_plan.hpp"

#include "engine/network_reach.hpp"
#include "space/wired_space.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

plan checked_plan(detail::job const& j, std::function<plan(int)> const& plan_of,
                  std::function<std::vector<array_model>(int)> const& models_of, std::string_view enclosing) {
    if (j.settings.check.plan) {
        auto const& machines = j.ranks->machines();
        std::vector<int> wires; // where interfaces join machines
        auto const* const interfaces = dynamic_cast<network_reach const*>(j.engines);
        if (!j.whole && interfaces && interfaces->beyond()) wires = subclusters_of(machines, j.settings.subcluster).list();
        std::vector<plan> plans;
        std::vector<std::vector<array_model>> models;
        for (int r = 0; r < j.boot->size(); ++r) {
            plans.push_back(plan_of(r));
            models.push_back(models_of(r));
        }
        if (auto const findings = verify(plans, models, {.machines = machines.list(), .wires = wires}); !findings.empty())
            throw error{error_kind::internal, fmt::format("the plan of {} is wrong", plans.front().name), findings.front().message,
                        fmt::format("report this defect of Sode, and include {}", enclosing)};
    }
    return plan_of(j.boot->rank());
}

} // namespace sode::internal
