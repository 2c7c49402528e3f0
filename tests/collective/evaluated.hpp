// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/catalogue.hpp"
#include "collective/leaders.hpp"
#include "evaluation/evaluate.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {

/// The plans of all ranks by that algorithm and t.leaders, evaluated to their end.
inline evaluation evaluated(algorithm const& a, collective_terms const& t, topology const& wires, evaluation_costs const& costs,
                            evaluation_options const& options = {}) {
    step_table plans;
    for (int r = 0; r < t.ranks(); ++r) plans.add(build_by_leaders(a, t, r));
    plans.close();
    auto e = evaluate(plans, t.machines, wires, costs, options);
    EXPECT_TRUE(e.finished) << t.title() << " by " << a.name();
    return e;
}

} // namespace sode::internal::testing
