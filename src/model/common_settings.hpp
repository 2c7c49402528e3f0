// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "cost/profile.hpp"

#include <sode/bootstrap.hpp>

#include <string>

namespace sode::internal {

/// What must be equal on all ranks, or they would make plans that do not fit together.
struct common_settings {
    profile costs;
    std::string profile_file; ///< where `costs` are from; empty: they are the built-in ones
    std::string trace;        ///< the file to write, an absolute path at rank 0; empty: none
};

/// Collective. Rank 0 reads the profile, SODE_PROFILE or the file of `sode tune`, and gives it to all, so that a job of several
/// machines needs it on one. A rank where SODE_PROFILE or SODE_TRACE is unset follows rank 0 (launchers do not pass every variable
/// on). Errors, on all ranks alike: usage, if a rank's value is another than rank 0's, or the profile is not right; environment, if
/// the trace could not be written where it shall be.
[[nodiscard]] common_settings agree_on_settings(bootstrap& boot, config const& settings);

} // namespace sode::internal
