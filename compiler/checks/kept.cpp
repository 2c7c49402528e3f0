// SPDX-License-Identifier: Apache-2.0
// static_desc: what a function declares is made when it runs for the first time, and stays.
#include "compiler/unit/unit.hpp"

#include <algorithm>

namespace sode::compiler {

// A static array of a function stays, and so does what it stands on, if that is the same in every call.
void unit::keep_below(aligned_array const& a) {
    auto const fixed = [&](directive const& d, bool stars) {
        return std::ranges::all_of(d.names.front().dims, [&](dimension const& dim) {
            if (dim.star) return stars;
            if (dim.colon && !dim.upper.given()) return false;
            return (!dim.lower.given() || constant(dim.lower)) && (!dim.upper.given() || constant(dim.upper));
        });
    };
    auto const* const distributed = distribution(a.along);
    if (!a.variable->isStaticLocal() || !a.along->function || !distributed) return;
    auto* const onto = named(*distributed, distributed->names.size());
    bool const lasting = !onto || !onto->function || onto->kept || (fixed(*onto, true) && !onto->has_on && onto->executing != 1);
    bool const formats = std::ranges::all_of(distributed->names.front().dims,
                                             [&](dimension const& dim) { return !dim.lower.given() || constant(dim.lower); });
    if (!lasting || !formats || !fixed(*a.along, false)) return;
    a.along->kept = true;
    if (onto && onto->function) onto->kept = true;
}

void unit::check_kept() {
    for (auto const& d : directives.directives) {
        if (d->kind != "static_desc" || d->wrong) continue;
        for (std::size_t k = 0; k < names[d->number].size(); ++k)
            if (auto* const each = named(*d, k)) each->kept = true;
        for (auto const* const v : arrays_named[d->number]) {
            auto const found = v ? arrays.find(v->getCanonicalDecl()) : arrays.end();
            auto const name = v ? v->getNameAsString() : std::string{"this"};
            if (found == arrays.end())
                error(d->hash, "static_desc names '" + name + "', which is neither nodes, nor a template, nor an aligned array");
            else
                found->second.kept = true;
        }
    }
    for (auto const& [v, a] : arrays) keep_below(a);
    // What stays must not stand on what goes.
    for (auto const& [v, a] : arrays) {
        if (!a.kept || !a.align->function) continue;
        auto const name = "'" + v->getNameAsString() + "'";
        if (clang::isa<clang::ParmVarDecl>(v))
            error(a.align->hash, name + " is a parameter, which has the descriptor of the argument; leave 'static_desc' out");
        if (v->getType()->isVariablyModifiedType())
            error(a.align->hash,
                  "the extents of " + name + " differ from call to call, but static_desc keeps the array between calls");
        if (a.along->function && !a.along->kept)
            error(a.align->hash, (v->isStaticLocal() ? name + " is static" : "static_desc keeps " + name) +
                                     ", but not the template that it is aligned with");
    }
    for (auto const& d : directives.directives) {
        if (d->kind != "distribute" || d->wrong || !d->function) continue;
        auto const* const t = named(*d, 0);
        auto const* const onto = named(*d, d->names.size());
        if (t && onto && t->kept && onto->function && !onto->kept)
            error(d->hash, "static_desc names the template, but not the nodes that it is distributed onto");
        if (t && t->kept) d->kept = true;
    }
}

} // namespace sode::compiler
