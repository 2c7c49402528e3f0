// SPDX-License-Identifier: Apache-2.0
// Calls of <xmp.h>: what xmp_malloc(xmp_desc_of(a), n, ...) gets, and where the program says what.
#include "compiler/unit/operators.hpp"
#include "compiler/unit/quoted.hpp"
#include "compiler/unit/unit.hpp"

#include <set>

namespace sode::compiler {

void unit::check_memory(clang::Stmt const* s) const {
    auto const assignment = binary_of(s);
    if (!assignment || assignment->op != clang::BO_Assign) return;
    auto const* const a = array(assignment->left);
    auto const* const call = clang::dyn_cast<clang::CallExpr>(assignment->right->IgnoreParenCasts());
    static std::set<std::string> const others{"malloc", "calloc", "realloc", "aligned_alloc", "valloc", "memalign"};
    if (!a || !a->pointer || !call || !others.contains(name_called(call))) return;
    error(call->getBeginLoc(), "'" + a->name() + "' is distributed, and " + name_called(call) +
                                   " allocates no array of that kind; write xmp_malloc(xmp_desc_of(" + a->name() + "), ...)");
    note(a->variable->getLocation(), "declared here");
}

// Functions of the library know no line of the program.
void unit::library_call(clang::CallExpr const* call) {
    check_allocation(call);
    static std::set<std::string> const placed{"xmp_malloc",
                                              "xmp_free",
                                              "xmp_transpose",
                                              "xmp_matmul",
                                              "xmp_gather",
                                              "xmp_scatter",
                                              "xmp_pack",
                                              "xmp_unpack",
                                              "xmp_sort_up",
                                              "xmp_sort_down",
                                              "xmp_set_range",
                                              "xmp_fread_darray_all",
                                              "xmp_fwrite_darray_all",
                                              "xmp_file_set_view_all"};
    auto const name = name_called(call);
    auto const at = call->getCallee()->getBeginLoc();
    if (!placed.contains(name) || at.isMacroID() || !files.isInMainFile(at)) return;
    auto const here = files.getPresumedLoc(at);
    auto const range = in_place(call->getCallee()->getSourceRange(), "a call");
    if (!range) return;
    edits.wrap(*range,
               "(sode_xmp_at(" +
                   quoted(std::string{here.getFilename()} + ":" + std::to_string(here.getLine()) + ": " + name + "()") + "),",
               ")");
}

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
                                       std::to_string(a->dims) + " dimensions; give the number of elements in each of them");
    else
        return;
    note(a->variable->getLocation(), "declared here");
}

} // namespace sode::compiler
