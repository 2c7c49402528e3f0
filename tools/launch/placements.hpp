// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "launch/launch.hpp"

namespace sode::internal::tools {

/// Runs the job so many times, each time with its tasks at other addresses, and tells in what the runs differ from the first: a
/// store or a load that goes astray finds something else there each time (P1, 3.3). What the first run writes is shown, with ranks.
/// Returns 1 if runs differ, else the exit status of them all. Errors: environment.
[[nodiscard]] int compare_placements(launch_options const& options);

} // namespace sode::internal::tools
