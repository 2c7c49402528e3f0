// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/job.hpp"
#include "plan/verify.hpp"

#include <functional>
#include <string_view>

namespace sode::internal {

/// The plan of this rank. Where SODE_CHECK=plan asks for it, those of all ranks are built first and held against verify().
/// `plan_of(rank)` and `models_of(rank)` are pure. Errors: theirs; internal, if the plans do not fit together: `enclosing` says
/// what a report of that needs.
[[nodiscard]] plan checked_plan(detail::job const& j, std::function<plan(int)> const& plan_of,
                                std::function<std::vector<array_model>(int)> const& models_of, std::string_view enclosing);

} // namespace sode::internal
