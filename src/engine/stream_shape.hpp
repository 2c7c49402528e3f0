// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/row_operators.hpp"
#include "plan/schedule.hpp"

#include <cstddef>
#include <vector>

namespace sode::internal {

/// By descriptor: what a reduce or negate does with a row; null for a user's operator. Empty, if the plan combines nothing.
/// Errors: internal, for a combiner that nobody knows.
[[nodiscard]] std::vector<row_function> row_functions(schedule const& p);

/// How deep loops are in each other: room for so many turns is needed. Errors: internal, if they are not paired, or too deep.
[[nodiscard]] std::size_t nesting_of(schedule const& p);

} // namespace sode::internal
