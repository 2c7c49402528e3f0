// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/unit/unit.hpp"

namespace sode::compiler {

/// Arrays that `layout` puts onto several devices, and that are not distributed over nodes: each node has all of them. Directives
/// of XcalableMP that say so are put beside their declarations and loops, and the unit is read again (`u.macros`).
void map_laid_out(unit& u);

} // namespace sode::compiler
