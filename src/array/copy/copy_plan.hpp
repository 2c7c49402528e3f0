// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "plan/verify.hpp"

namespace sode {

/// One rank's part of a copy between two distributed arrays, as a plan. Pure. The target is array 0, the source array 1 (or 0 too,
/// if both are one array).
///
/// Protocol: as in a halo exchange (docs/decisions/0002) a rank says "my source is ready", packs what is staged, says so, serves
/// itself, and takes its elements from each rank in any order of their arrival. A reader acknowledges: before the source's epoch
/// ends where the array itself was read; before a stage is filled again, two epochs later, where it was not, unless the source
/// reads from that reader in turn, whose next flag then says the same. Cost: O(ranks * sources of this rank + items).
[[nodiscard]] plan build_copy(copy_spec const& spec, int rank);

/// How that rank's user meets its arrays: what verify() needs to know beside the plan.
[[nodiscard]] std::vector<array_model> copy_models(copy_spec const& spec, int rank);

} // namespace sode
