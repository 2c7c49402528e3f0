// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "process.hpp"

struct sode_xmp_array_state;

namespace sode::xmp {

/// An array as nodes of a task see it that were not all that made it: the same memory, in the job of the task.
struct seen_array {
    sode_grid* grid = nullptr;
    sode_array* array = nullptr;
};

/// Whether all nodes of the array are among these, and these know all of it.
[[nodiscard]] bool is_within(sode_xmp_array_state const& array, sode_xmp_set const& nodes);
/// The array in the job of `nodes`. It is kept. Collective among them if it was not asked for before.
[[nodiscard]] seen_array seen_by(char const* at, sode_xmp_set& nodes, sode_xmp_array_state& array);
/// The array goes.
void forget_seen(sode_xmp_array_state const& array);

} // namespace sode::xmp
