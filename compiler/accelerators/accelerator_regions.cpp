// SPDX-License-Identifier: Apache-2.0
// What directives of OpenACC say that cannot be, and what does not stand in a compute construct.
#include "compiler/accelerators/device_assignments.hpp"
#include "compiler/arrays/sections.hpp"
#include "compiler/directives/openacc.hpp"

#include <set>

namespace sode::compiler {

void unit::check_openacc(directive& d) {
    std::map<clang::VarDecl const*, clang::SourceLocation> named;
    for (auto& c : d.clauses)
        for (auto& argument : c.arguments) {
            if (!argument.parsed || !names_variables(c.name)) continue;
            auto const at = argument.words.front().getLocation();
            auto const [subscripts, root] = subscripts_of(argument.parsed);
            auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(root->IgnoreParenImpCasts());
            if (r && is_coarray(r->getDecl())) {
                check_coarray(d, c, argument);
                continue;
            }
            auto const* const a = array(root);
            if (!a && c.name == "reflect")
                error(at, "'" + text(argument) +
                              "' is not a distributed array, so it has no shadow to reflect; align it, and write 'shadow'");
            if (!a) continue;
            auto const name = "'" + a->name() + "'";
            if (c.name != "use_device" && c.name != "self" && c.name != "host" && c.name != "device" && c.name != "reflect" &&
                data_clause(c.name).empty()) {
                error(at, name + " is a distributed array, to which '" + c.name +
                              "' does not apply; copy what is needed to an array that each node has");
                note(a->variable->getLocation(), "declared here");
                continue;
            }
            if (subscripts.size() > a->dims) {
                error(at, name + " has " + std::to_string(a->dims) + " dimensions, not " + std::to_string(subscripts.size()));
                note(a->variable->getLocation(), "declared here");
            }
            if ((c.name == "use_device" || c.name == "reflect") && !subscripts.empty())
                error(at, "'" + c.name + "' must name a whole array");
            for (auto const* const s : subscripts)
                if (auto const* const section = section_of(index_of(s)); section && !left_out(*this, section->getArg(2)))
                    error(section->getBeginLoc(), "a section in a data clause must not have a step; write [from:count]");
            auto const [before, first] = named.try_emplace(a->variable, at);
            if (!first && d.kind != "acc update") {
                error(at, name + " is in two clauses of '" + d.kind + "'");
                note(before->second, "the first one is here");
            }
        }
}

// What a clause of OpenACC says of a coarray.
void unit::check_coarray(directive const& d, openacc_clause const& c, expression const& argument) const {
    auto const at = argument.words.front().getLocation();
    auto const name = "'" + coarray_of(*this, argument.parsed)->getNameAsString() + "'";
    auto const subscripts = subscripts_of(argument.parsed).subscripts;
    if (c.name != "use_device" && c.name != "self" && c.name != "host" && c.name != "device" && data_clause(c.name).empty())
        return error(at, name + " is a coarray, to which '" + c.name + "' does not apply; copy what is needed to another variable");
    for (auto const& other : d.clauses)
        if (other.name == "on_device" || other.name == "layout")
            return error(at, name + " is a coarray, and a coarray can be on one device only; remove '" + other.name + "'");
    if (c.name == "use_device" && !subscripts.empty()) error(at, "'use_device' must name a whole array");
    for (auto const* const s : subscripts)
        if (auto const* const section = section_of(index_of(s)); section && !left_out(*this, section->getArg(2)))
            error(section->getBeginLoc(), "a section in a data clause must not have a step; write [from:count]");
}

void unit::check_region(directive& d) {
    if (d.openacc) {
        if (d.kind == "acc loop") return;
        error(d.hash, "'" + d.kind + "' is in a compute construct");
        return note(d.region->hash, "the construct begins here");
    }
    if (d.kind != "loop") {
        error(
            d.hash,
            "'" + d.kind +
                "' is in a compute construct, where only the directive 'loop' is allowed; write it before or behind the construct");
        return note(d.region->hash, "the construct begins here");
    }
    // The loop of `parallel loop` itself is none in a region.
    auto const own = d.region->body ? prefixed.find(d.region->body) : prefixed.end();
    if (d.operations.empty() || (is_combined(*d.region) && own != prefixed.end() && own->second == &d)) return;
    error(d.operations.empty() ? d.hash : d.items.front().words.front().getLocation(),
          "a loop in a compute construct cannot have a reduction of XcalableMP; put the loop around the construct");
    note(d.region->hash, "the construct begins here");
}

} // namespace sode::compiler
