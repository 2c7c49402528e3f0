// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/expense.hpp"

namespace sode::internal {

class way;

/// How an edge goes, what that should cost, and what the next best ones would have cost.
struct choice {
    way const* how = nullptr;
    expense expected{};
    way const* runner_up = nullptr; ///< null: there is no other
    expense instead{};              ///< what that would have cost
    way const* third = nullptr;     ///< null: there are no more than two
    expense third_expected{};
    bool forced = false;
};

} // namespace sode::internal
