// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "plan/verify.hpp"

namespace sode::internal {

/// One rank's part of a copy between two distributed arrays, as a plan. Pure. The target is array 0, the source array 1 (or 0 too,
/// if both are one array).
///
/// Cost: O(ranks * sources of this rank + items).
[[nodiscard]] plan build_copy(copy_spec const& spec, int rank);

/// How that rank's user meets its arrays: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> copy_models(copy_spec const& spec, int rank);

} // namespace sode::internal
