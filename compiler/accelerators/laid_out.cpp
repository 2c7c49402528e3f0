// SPDX-License-Identifier: Apache-2.0
// `layout` of arrays that are not distributed: on the devices of a node they are what a distributed array is whose elements all lie
// on every node.
#include "compiler/accelerators/laid_out.hpp"

#include "compiler/arrays/sections.hpp"
#include "compiler/directives/openacc.hpp"
#include "compiler/unit/quoted.hpp"

#include <algorithm>

namespace sode::compiler {
namespace {

class mapper {
public:
    explicit mapper(unit& u) : unit_(u) {}

    void run() {
        for (auto const& d : unit_.directives.directives)
            if (auto const named = unit_.arrays_named.find(d->number);
                (d->kind == "align" || d->kind == "coarray") && named != unit_.arrays_named.end())
                for (auto const* const v : named->second)
                    if (v) distributed_.insert(v->getCanonicalDecl());
        for (auto const& d : unit_.directives.directives)
            if (d->openacc && !d->wrong && !is_compute(*d) &&
                (clause(*d, "layout") || (d->kind == "acc declare" && clause(*d, "on_device"))))
                arrays(*d);
        for (auto const& d : unit_.directives.directives)
            if (auto const* const layout = d->openacc && !d->wrong && is_compute(*d) ? clause(*d, "layout") : nullptr)
                loop(*d, *layout);
    }

private:
    static openacc_clause const* clause(directive const& d, char const* name) {
        auto const found = std::ranges::find(d.clauses, name, &openacc_clause::name);
        return found == d.clauses.end() ? nullptr : &*found;
    }
    // `name[..]:[*]`. (What a directive declares is among `distributed_`.)
    bool is_coarray(clang::VarDecl const* v) const {
        return std::ranges::any_of(unit_.directives.coarrays, [&](auto const& c) { return c.name == v->getLocation(); });
    }
    // The array that a clause names, if it is not distributed.
    clang::VarDecl const* alone(clang::Expr const* e) const {
        if (!e) return nullptr;
        auto const* const root = subscripts_of(e).root;
        auto const* const r = clang::dyn_cast<clang::DeclRefExpr>(root->IgnoreParenImpCasts());
        auto const* const v = r ? clang::dyn_cast<clang::VarDecl>(r->getDecl()) : nullptr;
        return v && !distributed_.contains(v->getCanonicalDecl()) && !is_coarray(v) ? v->getCanonicalDecl() : nullptr;
    }

    void arrays(directive const& d) {
        for (auto const& c : d.clauses)
            for (auto const& argument : c.arguments)
                if (auto const* const v = data_clause(c.name).empty() ? nullptr : alone(argument.parsed))
                    if (!laid_out_.contains(v)) array(*v, argument.words.front().getLocation());
    }
    void array(clang::VarDecl const& v, clang::SourceLocation at) {
        auto const name = v.getNameAsString();
        std::string extents, indices;
        std::size_t dims = 0;
        auto type = v.getType();
        for (; auto const* const a = unit_.ast.getAsArrayType(type); type = a->getElementType(), ++dims) {
            auto const* const constant = clang::dyn_cast<clang::ConstantArrayType>(a);
            auto const* const variable = clang::dyn_cast<clang::VariableArrayType>(a);
            if (!constant && !variable) break;
            extents +=
                "[" + (constant ? std::to_string(constant->getSize().getZExtValue()) : unit_.text(variable->getSizeExpr())) + "]";
            indices += "[__sode_i" + std::to_string(dims) + "]";
        }
        if (dims == 0 || clang::isa<clang::ParmVarDecl>(v) || v.isStaticDataMember()) {
            unit_.error(at, "only an array with declared extents can be on several devices, but '" + name +
                                "' is not an array of this kind; declare an array, or distribute it: #pragma xmp align " + name +
                                "...");
            return unit_.note(v.getLocation(), "declared here");
        }
        if (unit::initialized(&v)) {
            unit_.error(at, "an array of several devices must not have an initializer, and '" + name +
                                "' has one; assign its elements");
            return unit_.note(v.getLocation(), "declared here");
        }
        laid_out_.insert(&v);
        auto const with = "__sode_l_" + name;
        auto const pragmas = pragma("nodes __sode_m_" + name + "[*]") + pragma("template " + with + "[1]" + extents) +
                             pragma("distribute " + with + "[block]" + repeated("[*]", dims) + " onto __sode_m_" + name) +
                             pragma("align " + name + indices + " with " + with + "[*]" + indices);
        // behind the declaration
        auto const& all = unit_.directives.lexed;
        auto t = std::ranges::find(all, v.getLocation(), [](auto const& word) { return word.getLocation(); });
        for (int depth = 0; t != all.end(); ++t) {
            depth += t->isOneOf(clang::tok::l_brace, clang::tok::l_paren, clang::tok::l_square) ? 1 : 0;
            depth -= t->isOneOf(clang::tok::r_brace, clang::tok::r_paren, clang::tok::r_square) ? 1 : 0;
            if (depth <= 0 && t->is(clang::tok::semi)) break;
        }
        if (t == all.end() || t->getLocation().isMacroID()) return unit_.write_out(v.getLocation(), "a declaration");
        unit_.macros.put_in(t->getLocation().getLocWithOffset(1), pragmas);
    }

    void loop(directive const& d, openacc_clause const& layout) {
        auto const* const v = layout.arguments.empty() ? nullptr : alone(layout.arguments.front().parsed);
        auto const* const loop = clang::dyn_cast_or_null<clang::ForStmt>(d.body);
        if (!v || !loop || !laid_out_.contains(v)) return;
        for (auto const& above :
             unit_.directives.directives) // a loop that nodes share, about which emitter::share_loops() complains
            if (auto const found = above->kind == "loop" && above->body ? unit_.prefixed.find(above->body) : unit_.prefixed.end();
                found != unit_.prefixed.end() && found->second == &d)
                return;
        std::string on, index;
        for (auto const& t : layout.raw) {
            if (t.getIdentifierInfo() && index.empty()) index = unit_.directives.spelling(t);
            on += unit_.directives.spelling(t);
        }
        if (index.empty()) return; // an error there, too
        if (loop->getBeginLoc().isMacroID()) return unit_.write_out(loop->getBeginLoc(), "a loop");
        unit_.macros.put_in(loop->getBeginLoc(), pragma("loop (" + index + ") on __sode_l_" + v->getNameAsString() + "[*]" + on));
    }

    static std::string pragma(std::string const& words) { return " _Pragma(" + quoted("xmp " + words) + ") "; }
    static std::string repeated(std::string const& what, std::size_t times) {
        std::string all;
        while (times-- > 0) all += what;
        return all;
    }

    unit& unit_;
    std::set<clang::VarDecl const*> distributed_, laid_out_;
};

} // namespace

void map_laid_out(unit& u) {
    mapper{u}.run();
}

} // namespace sode::compiler
