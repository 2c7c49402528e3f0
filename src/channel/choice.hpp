// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode {

class way;

/// How an edge goes, what that should cost, and what the next best would have cost.
struct choice {
    way const* how = nullptr;
    double expected_us = 0;
    way const* runner_up = nullptr; ///< null: there is no other
    double runner_up_us = 0;
    bool forced = false;
};

} // namespace sode
