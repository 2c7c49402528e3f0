// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/accelerators/device_sets.hpp"

namespace sode::compiler {

/// Says what is wrong with a loop that several devices share. `laid_out`: `layout` names an index that the loop splits.
void check_shared_loop(unit const& u, shared_loop const& shared, directive const& loop, bool laid_out);

} // namespace sode::compiler
