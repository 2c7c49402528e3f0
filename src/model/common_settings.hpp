// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "model/profile.hpp"

#include <sode/bootstrap.hpp>

#include <string>

namespace sode {

/// What must be equal on all ranks, or they would make plans that do not fit together.
struct common_settings {
    profile costs;
    std::string profile_file; ///< where `costs` are from; empty: they are the built-in ones
};

/// Collective. Rank 0 reads the profile, SODE_PROFILE or the file of `sode tune`, and gives it to all, so that a job of several
/// machines needs it on one. A rank where SODE_PROFILE is unset follows rank 0 (launchers do not pass every variable on).
/// Errors: usage, on all ranks alike, if a rank's SODE_PROFILE says something else than rank 0's, or the file is not right.
[[nodiscard]] common_settings agree_on_settings(bootstrap& boot, config const& settings);

} // namespace sode
