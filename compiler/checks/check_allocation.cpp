// SPDX-License-Identifier: Apache-2.0
// What xmp_malloc(xmp_desc_of(a), n, ...) gets.
#include "compiler/unit/operators.hpp"
#include "compiler/unit/unit.hpp"

namespace sode::compiler {

void unit::check_allocation(clang::CallExpr const* call) const {
    if (name_called(call) != "xmp_malloc" || call->getNumArgs() == 0) return;
    auto const* const descriptor = clang::dyn_cast<clang::CallExpr>(call->getArg(0)->IgnoreParenImpCasts());
    if (!descriptor || name_called(descriptor) != "__sode_desc") return;
    auto const* const a = array(descriptor->getArg(0));
    if (!a) return;
    auto const extents = call->getNumArgs() - 1;
    if (!a->pointer)
        error(call->getBeginLoc(), "'" + a->name() + "' is an array and has memory; xmp_malloc is for aligned pointers");
    else if (extents != a->dims)
        error(call->getBeginLoc(), "xmp_malloc gets " + std::to_string(extents) + " extents, and '" + a->name() + "' has " +
                                       std::to_string(a->dims) + " dimensions");
    else
        return;
    note(a->variable->getLocation(), "declared here");
}

} // namespace sode::compiler
