// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/verify.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sode::internal::testing {

/// What all ranks of a job would build, in one process.
struct all_ranks {
    /// `plan_of(rank)` and `models_of(rank)`: the arrays that its plan works on. `on`: the machine of each rank; empty: one.
    template <class Plan, class Models>
    all_ranks(int ranks, Plan plan_of, Models models_of, std::vector<int> on = {}) : machines(std::move(on)) {
        for (int r = 0; r < ranks; ++r) plans.push_back(plan_of(r)), models.push_back(models_of(r));
    }
    void expect_sound(std::string const& label) const {
        for (auto const& f :
             verify(plans, models, {.epochs = epochs, .machines = machines, .wires = wires, .own_epochs = own_epochs}))
            ADD_FAILURE() << label << ": " << f.message;
    }

    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
    std::vector<int> machines;
    std::vector<int> wires{}; // the network of each rank beside messages; empty: there is none
    int epochs = 3;
    bool own_epochs = false;
};

} // namespace sode::internal::testing
