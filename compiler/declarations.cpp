// SPDX-License-Identifier: Apache-2.0
// nodes, template, distribute, align, and the declarations of arrays.
#include "emitter.hpp"

#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>

namespace sode::compiler {
namespace {

// Where a template's dimension begins and ends, half open.
std::pair<std::string, std::string> bounds(unit const& u, reference const& r, dimension const& d) {
    auto const a = u.text(d.lower), b = u.text(d.upper);
    if (!d.colon)
        return r.square ? std::pair<std::string, std::string>{"0", a} : std::pair<std::string, std::string>{"1", "(" + a + ")+1"};
    if (r.square) return {a, "(" + a + ")+(" + b + ")"};
    return {a, "(" + b + ")+1"};
}

} // namespace

bool emitter::integer(expression const& e, long& value) const {
    if (!e.parsed || e.parsed->isValueDependent()) return false;
    auto const result = e.parsed->getIntegerConstantExpr(unit_.ast);
    if (!result) return false;
    value = static_cast<long>(result->getSExtValue());
    return true;
}

// `declaration` here; `action` here, too, or when the program begins.
void emitter::declare(directive const& d, std::string const& declaration, std::string const& action) {
    if (d.function) return unit_.replace(d, declaration + " " + action);
    auto const name = "__sode_p" + std::to_string(d.number);
    parts_.push_back(name);
    unit_.replace(d, declaration + " static void " + name + "(void){" + action + "}");
}

// One dimension behind the name of nodes or a template, as a sode_range.
std::string emitter::range(reference const& r, dimension const& dim, bool nodes) const {
    auto const a = unit_.text(dim.lower), b = unit_.text(dim.upper), by = dim.step.given() ? "(" + unit_.text(dim.step) + ")" : "1";
    if (dim.star) return "{SODE_XMP_OWN,0,1}";
    if (dim.colon && a.empty() && b.empty()) return "SODE_XMP_ALL";
    // Nodes count from 1 in round brackets.
    auto const from = nodes && !r.square ? "(" + a + ")-1" : "(" + a + ")";
    if (!dim.colon) return "{" + from + "," + from + "+1,1}";
    auto const end = r.square ? from + "+((" + b + ")-1)*" + by + "+1" : nodes ? "(" + b + ")" : "(" + b + ")+1";
    return "{" + from + "," + end + "," + by + "}";
}

std::vector<std::string> emitter::ranges(reference const& r, directive const& of) const {
    std::vector<std::string> result;
    for (std::size_t k = 0; k < of.names.front().dims.size(); ++k)
        result.push_back(k < r.dims.size() ? range(r, r.dims[k], of.kind == "nodes") : "SODE_XMP_ALL");
    return result;
}

void emitter::nodes(directive const& d) {
    std::string declarations, actions;
    nodes(d, declarations, actions);
    for (auto const* const rider : d.riders) nodes(*rider, declarations, actions);
    declare(d, declarations, actions);
}

void emitter::nodes(directive const& d, std::string& declarations, std::string& actions) const {
    for (auto const& r : d.names) {
        auto const name = "__sode_n_" + unit_.directives.spelling(r.name);
        std::vector<std::string> extents;
        for (auto const& dim : d.names.front().dims) extents.push_back(dim.star ? "0" : unit_.text(dim.lower));
        declarations += std::string{d.function ? "" : "static "} + "sode_xmp_nodes *" + name + " __attribute__((unused" +
                        (d.function ? ",cleanup(sode_xmp_nodes_leave)" : "") + "))" + (d.function ? "=0" : "") + ";";
        auto const shape = std::to_string(extents.size()) + "," + list("int64_t", extents);
        auto const* const of = d.has_on ? unit_.named(d, 0) : nullptr;
        actions += name + "=" +
                   (of ? "sode_xmp_nodes_part(" + unit_.place(d) + ",__sode_n_" + unit_.directives.spelling(d.on.name) + "," +
                             list("sode_range", ranges(d.on, *of)) + "," + shape + ");"
                       : "sode_xmp_nodes_make(" + unit_.place(d) + "," + shape + "," + (d.executing ? "1" : "0") + ");");
    }
}

void emitter::index_space(directive const& d) {
    std::string declarations, actions;
    index_space(d, declarations, actions);
    for (auto const* const rider : d.riders) index_space(*rider, declarations, actions);
    declare(d, declarations, actions);
}

void emitter::index_space(directive const& d, std::string& declarations, std::string& actions) const {
    for (auto const& r : d.names) {
        auto const name = "__sode_t_" + unit_.directives.spelling(r.name);
        std::vector<std::string> lower, upper;
        for (auto const& dim : d.names.front().dims) {
            if (dim.colon && !dim.lower.given()) { // said by template_fix
                lower.emplace_back("0");
                upper.emplace_back("-1");
                continue;
            }
            auto const [from, to] = bounds(unit_, d.names.front(), dim);
            lower.push_back(from);
            upper.push_back(to);
        }
        declarations += std::string{d.function ? "" : "static "} + "sode_xmp_template *" + name + " __attribute__((unused" +
                        (d.function ? ",cleanup(sode_xmp_template_leave)" : "") + "))" + (d.function ? "=0" : "") + ";";
        actions += name + "=sode_xmp_template_make(" + unit_.place(d) + "," + std::to_string(lower.size()) + "," +
                   list("int64_t", lower) + "," + list("int64_t", upper) + ");";
    }
}

std::vector<std::string> emitter::formats(std::vector<dimension> const& dims) const {
    std::vector<std::string> formats;
    for (auto const& dim : dims) {
        auto const argument = unit_.text(dim.lower);
        if (dim.star)
            formats.emplace_back("{SODE_WHOLE,0,0}");
        else if (dim.format == "gblock" && argument.empty()) // said by template_fix
            formats.emplace_back("{SODE_GBLOCK,0,0}");
        else if (dim.format == "gblock")
            formats.push_back("{SODE_GBLOCK,sizeof(*(" + argument + ")),(int64_t const*)(void const*)(" + argument + ")}");
        else
            formats.push_back(std::string{"{"} + (dim.format == "block" ? "SODE_BLOCK" : "SODE_CYCLIC") + "," +
                              (argument.empty() ? "0" : argument) + ",0}");
    }
    return formats;
}

// template_fix: the size, and perhaps other formats.
void emitter::fix(directive const& d) {
    auto const& r = d.names.front();
    std::vector<std::string> lower, upper;
    for (auto const& dim : r.dims) {
        auto const [from, to] = bounds(unit_, r, dim);
        lower.push_back(from);
        upper.push_back(to);
    }
    auto const cut = formats(d.on.dims);
    unit_.replace(d, "sode_xmp_template_fix(" + unit_.place(d) + ",__sode_t_" + unit_.directives.spelling(r.name) + "," +
                         (lower.empty() ? "0,0" : list("int64_t", lower) + "," + list("int64_t", upper)) + "," +
                         (cut.empty() ? "0" : list("sode_format", cut)) + ");");
}

void emitter::distribute(directive const& d) {
    std::string actions;
    for (auto const& r : d.names) {
        auto const formats = this->formats(r.dims);
        auto const* const t = unit_.named(d, 0);
        if (t && t->names.front().dims.size() != formats.size())
            return unit_.error(r.name.getLocation(), "'" + unit_.directives.spelling(r.name) + "' has " +
                                                         std::to_string(t->names.front().dims.size()) + " dimensions, not " +
                                                         std::to_string(formats.size()));
        actions += "sode_xmp_distribute(" + unit_.place(d) + ",__sode_t_" + unit_.directives.spelling(r.name) + ",__sode_n_" +
                   unit_.directives.spelling(d.on.name) + "," + list("sode_format", formats) + ");";
    }
    declare(d, "", actions);
}

int emitter::target(aligned_array const& a, std::size_t dim) const {
    auto const& own = a.align->names.front().dims[dim];
    if (own.star || own.lower.words.size() != 1) return -1;
    auto const* const name = own.lower.words[0].getIdentifierInfo();
    for (std::size_t k = 0; k < a.align->on.dims.size(); ++k)
        for (auto const& t : a.align->on.dims[k].lower.words)
            if (name && t.getIdentifierInfo() == name) return static_cast<int>(k);
    return -1;
}

std::string emitter::format(aligned_array const& a, std::size_t dim) const {
    auto const k = target(a, dim);
    auto const* const d = unit_.distribution(a.along);
    if (k < 0 || !d) return "*";
    auto const& is = d->names.front().dims[static_cast<std::size_t>(k)];
    return is.star ? "*" : is.format;
}

std::vector<std::string> emitter::extents(aligned_array const& a) const {
    std::vector<std::string> result;
    auto location = a.variable->getTypeSourceInfo()->getTypeLoc();
    while (auto const array = location.getAs<clang::ArrayTypeLoc>()) {
        result.push_back(array.getSizeExpr() ? unit_.text(array.getSizeExpr()) : "0");
        location = array.getElementLoc();
    }
    return result;
}

// What every node lays out in a dimension, if it is a number: sode_xmp_array_make() computes the same.
long emitter::constant_pitch(aligned_array const& a, std::size_t dim) const {
    auto const is = format(a, dim);
    auto const* const d = unit_.distribution(a.along);
    if (!d || is == "gblock" || is == "*") return -1;
    auto const k = static_cast<std::size_t>(target(a, dim));
    auto const& extent = a.along->names.front().dims[k];
    auto const* const onto = unit_.named(*d, d->names.size());
    if (!onto || onto->has_on) return -1;
    std::size_t along = 0;
    for (std::size_t j = 0; j < k; ++j) along += d->names.front().dims[j].star ? 0 : 1;
    if (along >= onto->names.front().dims.size()) return -1;
    for (auto const& each : unit_.directives.directives)
        if (each->kind == "template_fix" && unit_.named(*each, 0) == a.along) return -1;
    long nodes = 0, from = 0, to = 0, width = 0, lower = 0, upper = 0;
    auto const& shape = onto->names.front().dims[along];
    if (shape.star || !integer(shape.lower, nodes) || nodes < 1 || !integer(extent.lower, from)) return -1;
    long n = from;
    if (extent.colon) {
        if (!integer(extent.upper, to)) return -1;
        n = a.along->names.front().square ? to : to - from + 1;
    }
    auto const& argument = d->names.front().dims[k].lower;
    if (argument.given() && !integer(argument, width)) return -1;
    if (is == "cyclic") {
        width = width > 0 ? width : 1;
        return (n + width * nodes - 1) / (width * nodes) * width;
    }
    if (a.shadow) {
        auto const& s = a.shadow->names.front().dims[dim];
        if (s.star) return -1;
        if (!integer(s.lower, lower)) return -1;
        upper = lower;
        if (s.colon && !integer(s.upper, upper)) return -1;
    }
    return (width > 0 ? width : (n + nodes - 1) / nodes) + lower + upper;
}

std::string emitter::pitches(aligned_array const& a) const {
    std::string result;
    auto const all = extents(a);
    for (std::size_t d = 1; d < a.dims; ++d) {
        auto const constant = constant_pitch(a, d);
        bool const whole = format(a, d) == "*";
        result += "[" +
                  (constant > 0 ? std::to_string(constant)
                   : whole      ? all[d]
                                : a.state() + ".pitch[" + std::to_string(d) + "]") +
                  "]";
    }
    return result;
}

std::string emitter::view(aligned_array const& a) const {
    auto const element = "__typeof__(*" + a.base() + ")";
    auto const type = a.dims == 1 ? element + " *" + a.name() : element + " (*" + a.name() + ")" + pitches(a);
    auto const from = clang::isa<clang::ParmVarDecl>(a.variable) ? a.state() + ".base" : a.base(); // a parameter is the local part
    return type + " __attribute__((unused))=(void*)" + from + ";";
}

// What is added to an index of the array to have the template's.
std::string emitter::offset(aligned_array const& a, std::size_t dim, int at) const {
    auto const k = target(a, dim);
    if (k < 0) return "0";
    std::string dummies;
    for (auto const& own : a.align->names.front().dims)
        if (own.lower.words.size() == 1)
            dummies += "SODE_XMP_INDEX(" + unit_.directives.spelling(own.lower.words[0]) + "," + std::to_string(at) + ");";
    return "({" + dummies + "(" + unit_.text(a.align->on.dims[static_cast<std::size_t>(k)].lower) + ");})";
}

std::string emitter::made(aligned_array const& a) const {
    std::vector<std::string> targets, offsets, slopes, shadows;
    for (std::size_t d = 0; d < a.dims; ++d) {
        auto const k = target(a, d);
        targets.push_back(std::to_string(k));
        offsets.push_back(offset(a, d));
        slopes.push_back(k < 0 ? "1" : offset(a, d, 1) + "-" + offset(a, d));
        if (!a.shadow) {
            shadows.insert(shadows.end(), {"0", "0"});
            continue;
        }
        auto const& s = a.shadow->names.front().dims[d];
        if (s.star) { // all of it
            shadows.insert(shadows.end(), {"-1", "-1"});
            continue;
        }
        shadows.push_back(unit_.text(s.lower));
        shadows.push_back(s.colon ? unit_.text(s.upper) : unit_.text(s.lower));
    }
    clang::QualType type = a.variable->getType();
    if (auto const* const p = clang::dyn_cast<clang::ParmVarDecl>(a.variable)) type = p->getOriginalType();
    if (a.pointer) type = type->getPointeeType();
    while (unit_.ast.getAsArrayType(type)) type = unit_.ast.getAsArrayType(type)->getElementType();
    bool const given = clang::isa<clang::ParmVarDecl>(a.variable);
    std::vector<std::string> sizes = a.pointer ? std::vector<std::string>(a.dims, "0") : extents(a); // xmp_malloc() says them
    return std::string{given       ? "sode_xmp_array_given("
                       : a.pointer ? "sode_xmp_array_later("
                                   : "sode_xmp_array_make("} +
           unit_.place(*a.align) + ",&" + a.state() + ",\"" + a.name() + "\"," + (given ? a.base() + "," : "") + "__sode_t_" +
           unit_.directives.spelling(a.align->on.name) + "," + type_code(unit_.ast, type) + "," + std::to_string(a.dims) + "," +
           list("int64_t", sizes) + "," + list("int", targets) + "," + list("int64_t", offsets) + "," + list("int64_t", slopes) +
           "," + list("int64_t", shadows) + ");";
}

void emitter::align(directive const& d) {
    std::string declarations, actions;
    for (auto const* const v : unit_.arrays_named[d.number]) {
        auto const& a = *unit_.array(v);
        if (clang::isa<clang::ParmVarDecl>(a.variable)) {
            declarations += "sode_xmp_array " + a.state() + ";" + made(a) + view(a);
        } else if (d.function) {
            declarations += "sode_xmp_array " + a.state() + " __attribute__((cleanup(sode_xmp_array_leave)));" + made(a) +
                            (a.pointer ? "" : a.base() + "=" + a.state() + ".base;" + view(a));
        } else if (a.variable->getStorageClass() == clang::SC_Static) {
            declarations += "static sode_xmp_array " + a.state() + ";";
            actions += made(a) + (a.pointer ? "" : a.base() + "=" + a.state() + ".base;");
        } else {
            bool defined = false;
            for (auto const* const each : a.variable->redecls())
                defined = defined || each->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
            declarations += std::string{defined ? "" : "extern "} + "sode_xmp_array " + a.state() + ";";
            if (defined) actions += made(a) + (a.pointer ? "" : a.base() + "=" + a.state() + ".base;");
        }
    }
    declare(d, declarations, actions);
}

// `u[N][M]` becomes `*__sode_b_u`; what stands around it stays.
void emitter::declarators() {
    for (auto const& [v, c] : unit_.coarrays) {
        auto const name = v->getNameAsString(), pointer = "__sode_c_" + name;
        bool defined = false;
        for (auto const* const each : v->redecls()) {
            defined = defined || each->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
            // `a[10]:[*]` becomes `(*__sode_c_a)[10]`.
            (void)unit_.edit({each->getLocation(), each->getLocation()}, "(*" + pointer + ")", "the declaration of a coarray");
            for (auto const& w : unit_.directives.coarrays)
                if (w.name == each->getLocation())
                    unit_.rewriter.ReplaceText(w.colon, unit_.files.getFileOffset(w.end) + 1 - unit_.files.getFileOffset(w.colon),
                                               "");
        }
        if (defined) coarrays_ += pointer + "=sode_xmp_coarray(\"" + name + "\",sizeof(*" + pointer + "));";
    }
    for (auto const& [v, a] : unit_.arrays)
        for (auto const* const each : v->redecls())
            if (!a.pointer)
                (void)unit_.edit({each->getLocation(), each->getEndLoc()}, "*" + a.base(),
                                 "the declaration of a distributed array");
}

// main()'s first act, then what functions know of arrays.
void emitter::local_views() {
    for (auto const* const d : unit_.ast.getTranslationUnitDecl()->decls())
        if (auto const* const f = clang::dyn_cast<clang::FunctionDecl>(d); f && f->isMain() && f->doesThisDeclarationHaveABody())
            unit_.rewriter.InsertTextAfterToken(unit_.files.getExpansionLoc(f->getBody()->getBeginLoc()), "sode_xmp_begin();");
    for (auto const& [function, arrays] : unit_.uses) {
        std::string code;
        for (auto const* const v : arrays)
            if (!unit_.array(v)->pointer) code += view(*unit_.array(v));
        auto const* const body = function->getBody();
        if (body) unit_.rewriter.InsertTextAfterToken(unit_.files.getExpansionLoc(body->getBeginLoc()), code);
    }
}

// The list of what the unit makes.
void emitter::finish() {
    if (posts_) coarrays_ += "sode_xmp_posts();";
    if (parts_.empty() && coarrays_.empty()) return;
    if (!coarrays_.empty()) {
        parts_.insert(parts_.begin(), "__sode_coarrays");
        coarrays_ = "\nstatic void __sode_coarrays(void){" + coarrays_ + "}";
    }
    auto const main = unit_.files.getMainFileID();
    std::string all = coarrays_ + "\nstatic void (*const __sode_parts[])(void)={";
    for (auto const& part : parts_) all += part + ",";
    all += "0};__attribute__((constructor)) static void __sode_unit(void){sode_xmp_unit(__sode_parts);}\n";
    unit_.rewriter.InsertTextAfter(unit_.files.getLocForEndOfFile(main), all);
}

void emitter::run() {
    references(); // first: what they say of functions is needed
    if (unit_.failed()) return;
    declarators();
    local_views();
    for (auto const& d : unit_.directives.directives) {
        if (d->wrong || d->rides) continue;
        auto const& k = d->kind;
        if (k == "nodes")
            nodes(*d);
        else if (k == "template")
            index_space(*d);
        else if (k == "distribute")
            distribute(*d);
        else if (k == "align")
            align(*d);
        else if (k == "shadow" || k == "tasks" || k == "array" || k == "coarray")
            unit_.replace(*d, "");
        else if (k == "loop")
            loop(*d);
        else if (k == "task")
            task(*d);
        else if (k == "template_fix")
            fix(*d);
        else if (k == "wait_async")
            wait_async(*d);
        else if (k == "barrier")
            barrier(*d);
        else if (k.starts_with("reflect") || k == "reduce_shadow")
            reflect(*d);
        else if (k == "reduction")
            reduction(*d);
        else if (k == "bcast")
            bcast(*d);
        else if (k == "gmove")
            gmove(*d);
        else
            local_view(*d);
    }
    finish();
}

} // namespace sode::compiler
