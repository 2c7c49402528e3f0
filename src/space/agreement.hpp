// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/error.hpp>

#include <exception>
#include <functional>
#include <string_view>

namespace sode::internal {

/// Collective. Does `step` on every rank and lets them go on only together: if it failed on any, all throw, so that nobody waits
/// for a rank that has given up. A rank that failed throws its own error, the others one of the same kind that quotes the first
/// failure. `step` itself must not be collective. `what` completes "rank 3 could not …".
void together(bootstrap& boot, std::string_view what, std::function<void()> const& step);

} // namespace sode::internal
