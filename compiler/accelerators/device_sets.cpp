// SPDX-License-Identifier: Apache-2.0
// Several devices of a node: which ones a directive is about, and how arrays and loops are laid out over them.
#include "compiler/accelerators/device_sets.hpp"

#include "compiler/accelerators/shared_loops.hpp"
#include "compiler/directives/openacc.hpp"
#include "compiler/emitter/emitter.hpp"

#include <clang/AST/RecursiveASTVisitor.h>

namespace sode::compiler {
namespace {

// The words in each pair of brackets: [block][*].
bool groups(source const& s, tokens const& words, std::vector<tokens>& result) {
    int depth = 0;
    for (auto const& t : words) {
        auto const w = s.spelling(t);
        if (w == "[" && depth++ == 0) {
            result.emplace_back();
            continue;
        }
        if (w == "]" && --depth == 0) continue;
        if (depth == 0) return false;
        result.back().push_back(t);
    }
    return !result.empty();
}

// Whether a body refers to arrays or pointers that are not distributed, and were there before it.
class others_in : public clang::RecursiveASTVisitor<others_in> {
public:
    others_in(unit const& u, clang::Stmt const* body) : unit_(u), body_(body) {}
    bool VisitDeclRefExpr(clang::DeclRefExpr* r) {
        auto const* const v = clang::dyn_cast<clang::VarDecl>(r->getDecl());
        if (!v || unit_.array(v) || v->getType()->isDependentType()) return true;
        auto const inside = !unit_.files.isBeforeInTranslationUnit(v->getLocation(), body_->getBeginLoc()) &&
                            unit_.files.isBeforeInTranslationUnit(v->getLocation(), body_->getEndLoc());
        auto const type = v->getType().getNonReferenceType();
        found = found || (!inside && (type->isArrayType() || type->isPointerType() || type->isRecordType()));
        return true;
    }
    bool found = false;

private:
    unit const& unit_;
    clang::Stmt const* body_;
};

openacc_clause const* clause_of(directive const& d, char const* name) {
    for (auto const& c : d.clauses)
        if (c.name == name) return &c;
    return nullptr;
}

std::string no_devices(std::string const& clause) {
    return "'" + clause + "' needs to know which devices; add on_device(...)";
}

// In round brackets devices are counted from 1, and a range has a last one.
std::string first_device(device_numbers const& n, std::string const& lower) {
    if (n.all) return "0";
    return "(" + lower + (n.round ? ")-1" : ")");
}
std::string device_count(device_numbers const& n, std::string const& lower, std::string const& upper) {
    if (n.all) return "-1";
    if (!n.colon) return "1";
    return n.round ? "(" + upper + ")-(" + lower + ")+1" : "(" + upper + ")";
}

} // namespace

std::string emitter::device_set_object(std::string const& name) {
    return "__sode_x_" + name;
}

// acc devices d[2] = nvidia[2:2]
void emitter::devices(directive const& d) {
    auto const name = unit_.directives.spelling(clause_of(d, "name")->where);
    auto const* const count = clause_of(d, "count");
    auto const* const kind = clause_of(d, "kind");
    auto const* const range = clause_of(d, "range");
    auto const object = device_set_object(name);
    auto const* const of = clause_of(d, "of"); // other devices
    std::string there = "sode_acc_use_count()";
    if (kind) {
        auto const word = unit_.directives.spelling(kind->where);
        there = "acc_get_num_devices(" + (word.starts_with("acc_device_") ? word : "acc_device_" + word) + ")";
    }
    auto const number = [&](openacc_clause const* c, std::size_t k, std::int64_t least) {
        auto const value = unit_.constant(c->arguments[k]);
        if (value && *value < least)
            unit_.error(c->arguments[k].words.front().getLocation(),
                        c == range && k == 0 ? "the number of a device must be " + std::to_string(least) + " or more"
                                             : "a set must have 1 device or more; write [*] for all of them");
        return unit_.text(c->arguments[k]);
    };
    auto const wanted = count->arguments.empty() ? "0" : "(" + number(count, 0, 1) + ")";
    std::string numbers = "0,-1";
    if (range) {
        device_numbers const n{{}, {}, range->raw.size() == 1, range->arguments.size() == 2, range->arguments.empty()};
        auto const lower = n.all ? "" : number(range, 0, n.round ? 1 : 0);
        numbers = first_device(n, lower) + "," + device_count(n, lower, n.colon ? number(range, 1, n.round ? 0 : 1) : "");
    }
    auto const from = of ? named_devices(d, {"of", of->where, false, {}, {of->where}}) : "";
    if (of && from.empty()) return;
    auto const action =
        object + "=" +
        (of ? "sode_acc_devices_among(" + unit_.place(d) + ",\"" + name + "\"," + wanted + "," + numbers + ",&" + from
            : "sode_acc_devices_of(" + unit_.place(d) + ",\"" + name + "\"," + wanted + "," + numbers + "," + there) +
        ");";
    declare(d, std::string{d.function ? "" : "static "} + "sode_acc_devices " + object + " __attribute__((unused));", action);
}

// The directive that lays out an array over devices; null: none that this unit has.
directive const* emitter::laid_out_by(clang::Expr const* array) const {
    auto const* const wanted = unit_.array(array);
    for (auto const& d : unit_.directives.directives) {
        if (!wanted || !d->openacc || d->wrong || is_compute(*d) || !clause_of(*d, "layout")) continue;
        for (auto const& c : d->clauses)
            for (auto const& argument : c.arguments)
                if (argument.parsed && unit_.array(argument.parsed) == wanted) return d.get();
    }
    return nullptr;
}

// What on_device(d), on_device(d[1]), on_device(d[0:2]) name: a C expression; "": nothing, which is said.
std::string emitter::named_devices(directive const& d, openacc_clause const& on) const {
    auto const& words = unit_.directives;
    auto const at = on.raw.front().getLocation();
    auto const name = words.spelling(on.raw.front());
    bool known = false;
    for (auto const& each : words.directives)
        if (each->kind == "acc devices" && !each->wrong && words.spelling(clause_of(*each, "name")->where) == name)
            known = known || unit_.files.isBeforeInTranslationUnit(each->hash, d.hash);
    if (!known)
        return unit_.error(at, "'" + name + "' is not a set of devices; declare it first: #pragma acc devices " + name + "[*]"), "";
    auto const object = device_set_object(name);
    if (on.raw.size() == 1) return object;
    auto const range = device_range(words, {on.raw.begin() + 1, on.raw.end()});
    if (!range) return unit_.error(at, "a part of a set of devices has the form d[2], d[from:count] or d(first:last)"), "";
    return "(*sode_acc_some_devices(" + unit_.place(d) + ",&" + object + "," + first_device(*range, unit_.text(range->lower)) +
           "," + device_count(*range, unit_.text(range->lower), unit_.text(range->upper)) + "))";
}

std::optional<device_set> emitter::device_set_of(directive const& d) const {
    auto const* on = clause_of(d, "on_device");
    auto const *const layout = clause_of(d, "layout"), *const shadow = clause_of(d, "shadow");
    directive const* says = &d;
    if (!on && layout && is_compute(d)) { // the devices that the array is on
        says = laid_out_by(layout->arguments.front().parsed);
        if (!says) return unit_.error(layout->where.getLocation(), no_devices("layout")), device_set{};
        on = clause_of(*says, "on_device");
    } else if (!on && !(layout && d.kind == "acc declare")) {
        for (auto const* const c : {layout, shadow})
            if (c) unit_.error(c->where.getLocation(), no_devices(c->name));
        return {};
    }
    device_set set;
    set.name = on ? unit_.directives.spelling(on->raw.front()) : "default";
    set.object = on ? named_devices(*says, *on) : "(*sode_acc_default_devices())";
    if (set.object.empty()) return set;
    if (is_compute(d))
        layout_of_loop(d, set);
    else
        layout_of_data(d, set);
    return set;
}

void emitter::layout_of_loop(directive const& d, device_set& set) const {
    auto const* const layout = clause_of(d, "layout");
    if (!layout) return;
    auto const at = layout->arguments.front().words.front().getLocation();
    std::vector<tokens> indices;
    set.array = unit_.array(layout->arguments.front().parsed);
    if (!set.array) return unit_.error(at, "'layout' of a loop must name an element of a distributed array: layout(a[i])");
    if (!groups(unit_.directives, layout->raw, indices))
        return unit_.error(at, "'layout' of a loop must name an element: layout(a[i]), or layout(a[i][*])");
    if (indices.size() != set.array->dims) {
        unit_.error(at, "'" + set.array->name() + "' has " + std::to_string(set.array->dims) + " dimensions, not " +
                            std::to_string(indices.size()));
        return unit_.note(set.array->variable->getLocation(), "declared here");
    }
    for (std::size_t k = 0; k < indices.size(); ++k) {
        if (indices[k].size() == 1 && unit_.directives.spelling(indices[k].front()) == "*") continue;
        if (set.dim >= 0 || indices[k].empty())
            return unit_.error(at, "'layout' of a loop must name one index, and '*' in all other dimensions");
        set.dim = static_cast<int>(k);
        set.element = unit_.text(indices[k]);
        for (auto const& t : indices[k])
            if (t.getIdentifierInfo() && !set.index) set.index = t.getIdentifierInfo();
    }
    if (!set.index) unit_.error(at, "'layout' of a loop must name its index: layout(a[i])");
}

void emitter::layout_of_data(directive const& d, device_set& set) const {
    auto const *const layout = clause_of(d, "layout"), *const shadow = clause_of(d, "shadow");
    std::vector<tokens> formats, widths;
    if (layout) {
        set.laid_out = true;
        auto const at = layout->where.getLocation();
        if (!groups(unit_.directives, layout->raw, formats))
            return unit_.error(at, "'layout' must have a format for each dimension: layout([block][*])");
        set.dims = formats.size();
        for (std::size_t k = 0; k < formats.size(); ++k) {
            auto const word = formats[k].size() == 1 ? unit_.directives.spelling(formats[k].front()) : "";
            if (word == "*") continue;
            if (word != "block") return unit_.error(at, "a dimension of 'layout' must be 'block' or '*'");
            if (set.dim >= 0) return unit_.error(at, "'layout' can cut only one dimension; write '*' for the others");
            set.dim = static_cast<int>(k);
        }
    }
    if (!shadow) return;
    auto const at = shadow->where.getLocation();
    if (set.dim < 0) return unit_.error(at, "'shadow' needs a dimension that 'layout' cuts into blocks; add layout([block])");
    if (!groups(unit_.directives, shadow->raw, widths) || widths.size() != set.dims)
        return unit_.error(at, "'shadow' must have a width for each dimension of 'layout': shadow([1:1][0])");
    for (std::size_t k = 0; k < widths.size(); ++k) {
        auto const& w = widths[k];
        std::size_t colon = 0;
        while (colon < w.size() && unit_.directives.spelling(w[colon]) != ":") ++colon;
        auto const split = w.begin() + static_cast<std::ptrdiff_t>(colon);
        tokens const lower(w.begin(), split), upper = colon < w.size() ? tokens(split + 1, w.end()) : lower;
        if (lower.empty() || upper.empty()) return unit_.error(at, "a width of 'shadow' must have the form [1], or [1:1]");
        auto const below = unit_.text(lower), above = unit_.text(upper);
        if (static_cast<int>(k) != set.dim) {
            if (below != "0" || above != "0")
                return unit_.error(at, "'shadow' must be 0 in a dimension that 'layout' does not cut");
            continue;
        }
        set.below = "(" + below + ")";
        set.above = "(" + above + ")";
    }
}

// Before anything is written: which loops several devices share.
void emitter::share_loops() {
    for (auto const& d : unit_.directives.directives) {
        if (!d->openacc || d->wrong) continue;
        if (d->kind == "acc devices") {
            for (auto const& other : unit_.directives.directives) {
                if (other.get() == d.get()) break;
                if (other->kind != "acc devices" || other->wrong || other->function != d->function) continue;
                auto const name = unit_.directives.spelling(clause_of(*d, "name")->where);
                if (unit_.directives.spelling(clause_of(*other, "name")->where) != name) continue;
                unit_.error(clause_of(*d, "name")->where.getLocation(), "devices '" + name + "' are declared twice");
                unit_.note(clause_of(*other, "name")->where.getLocation(), "declared here");
            }
            continue;
        }
        if (!is_compute(*d)) continue;
        auto const set = device_set_of(*d);
        if (!set || unit_.failed()) continue;
        shared_loop shared{d.get(), *set, "__sode_k" + std::to_string(d->number), false, "", ""};
        shared.before = "for(int " + shared.counter + "=0;" + shared.counter + "<" + set->object + ".count;" + shared.counter +
                        "++){sode_acc_use(&" + set->object + "," + shared.counter + ");";
        shared.behind = "}sode_acc_use(0,-1);";
        if (at_once(*d)) shared.behind += "sode_acc_wait_devices(&" + set->object + ",acc_async_noval,0);";
        directive const* loop = nullptr;
        if (auto const below = d->body ? unit_.prefixed.find(d->body) : unit_.prefixed.end();
            below != unit_.prefixed.end() && below->second->kind == "loop" && is_combined(*d))
            loop = below->second;
        for (auto const& each : unit_.directives.directives) {
            auto const below = each->kind == "loop" && each->body ? unit_.prefixed.find(each->body) : unit_.prefixed.end();
            if (below == unit_.prefixed.end() || below->second != d.get()) continue;
            loop = each.get();
            shared.opens = true;
        }
        if (set->array && !loop)
            unit_.error(clause_of(*d, "layout")->where.getLocation(),
                        "'layout' shares the loop of a node among its devices: write '#pragma xmp loop' above or below");
        shared_[d.get()] = shared;
        if (loop) shared_[loop] = shared;
    }
}

// What devices do of a construct does not depend on each other: they do it at the same time.
bool emitter::at_once(directive const& d) const {
    if (d.kind != "acc parallel loop" && d.kind != "acc serial loop") return false;
    for (auto const& c : d.clauses) {
        if (c.name == "async" || c.name == "reduction" || c.name == "default") return false;
        if (!data_clause(c.name).empty() && data_clause(c.name) != "present") return false;
    }
    others_in others{unit_, d.body};
    others.TraverseStmt(const_cast<clang::Stmt*>(d.body));
    return !others.found;
}

void check_shared_loop(unit const& u, shared_loop const& shared, directive const& loop, bool laid_out) {
    auto const& set = shared.set;
    auto const at = shared.construct->hash;
    if (!loop.window.empty() || loop.threads)
        return u.error(loop.hash, "'" + (loop.threads ? "threads" : loop.window) +
                                      "' cannot be combined with 'on_device'; leave one of them out");
    if (!set.array) return;
    auto const name = "'" + set.array->name() + "'";
    if (!laid_out)
        return u.error(at, "'layout' names the index '" + set.index->getName().str() +
                               "', which 'on' of this loop does not split; name an index of 'on'");
    if (set.array->along == u.named(loop, 0)) return;
    u.error(at, "'layout' names " + name + ", which is not aligned with the template that 'on' of this loop names");
    u.note(set.array->variable->getLocation(), "declared here");
}

// The share of a device: what declares it for a node, with `layout`.
std::string emitter::shared(directive const& loop, dimension const& dim, clang::Token const* index, std::string const& all) const {
    auto const found = shared_.find(&loop);
    if (found == shared_.end() || !found->second.set.array || !index) return all;
    auto const& [construct, set, counter, opens, before, behind] = found->second;
    if (index->getIdentifierInfo() != set.index) return all;
    auto const zero = "SODE_XMP_INDEX(" + unit_.directives.spelling(*index) + ",0);(";
    return "sode_acc_share(" + unit_.place(*construct) + "," + all + ",&" + set.array->state() + ",&" + set.object + "," + counter +
           "," + std::to_string(set.dim) + ",({" + zero + unit_.text(dim.lower) + ");})-({" + zero + set.element + ");}))";
}

} // namespace sode::compiler
