// SPDX-License-Identifier: Apache-2.0
// nodes, template, distribute, template_fix.
#include "compiler/emitter/emitter.hpp"

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

// One dimension behind the name of nodes or a template, as a sode_range.
std::string emitter::range(reference const& r, dimension const& dim, bool nodes) const {
    auto const a = unit_.text(dim.lower), b = unit_.text(dim.upper),
               by = dim.step.given() ? "(int64_t)(" + unit_.text(dim.step) + ")" : "1";
    if (dim.star) return "{SODE_XMP_OWN,0,1}";
    if (dim.colon && a.empty() && b.empty()) return "SODE_XMP_ALL";
    // Nodes count from 1 in round brackets.
    auto const from = nodes && !r.square ? "((int64_t)(" + a + ")-1)" : "(int64_t)(" + a + ")";
    if (!dim.colon) return "{" + from + "," + from + "+1,1}";
    long count = 0;
    bool const known = !r.square || (integer(dim.upper, count) && count >= 0);
    auto const step = known ? by : "((int64_t)(" + b + ")<0?SODE_XMP_NEGATIVE:" + by + ")";
    auto const end = r.square ? from + "+((int64_t)(" + b + ")-1)*" + by + "+1" : "(int64_t)(" + b + ")" + (nodes ? "" : "+1");
    return "{" + from + "," + end + "," + step + "}";
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
        bool const goes = d.function && !d.kept;
        declarations += std::string{goes ? "" : "static "} + "sode_xmp_nodes *" + name + " __attribute__((unused" +
                        (goes ? ",cleanup(sode_xmp_nodes_leave)" : "") + "))" + (goes ? "=0" : "") + ";";
        auto const shape = std::to_string(extents.size()) + "," + list("int64_t", extents);
        auto const* const of = d.has_on ? unit_.named(d, 0) : nullptr;
        std::vector<std::string> costs;
        for (auto const& c : d.costs) costs.push_back("(double)(" + unit_.text(c.lower) + ")");
        if (d.kept) actions += "if(!" + name + ")";
        actions +=
            "{" + name + "=" +
            (d.mapping == "order"   ? "sode_xmp_nodes_in_order(" + unit_.place(d) + "," + shape + ");"
             : d.mapping == "costs" ? "sode_xmp_nodes_mapped(" + unit_.place(d) + "," + shape + "," + list("double", costs) + ");"
             : of ? "sode_xmp_nodes_part(" + unit_.place(d) + ",__sode_n_" + unit_.directives.spelling(d.on.name) + "," +
                        list("sode_range", ranges(d.on, *of)) + "," + shape + ");"
                  : "sode_xmp_nodes_make(" + unit_.place(d) + "," + shape + "," + std::to_string(d.executing) + ");") +
            "sode_xmp_nodes_name(" + name + ",\"" + unit_.directives.spelling(r.name) + "\");}";
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
        bool const goes = d.function && !d.kept;
        declarations += std::string{goes ? "" : "static "} + "sode_xmp_template *" + name + " __attribute__((unused" +
                        (goes ? ",cleanup(sode_xmp_template_leave)" : "") + "))" + (goes ? "=0" : "") + ";";
        if (d.kept) actions += "if(!" + name + ")";
        actions += "{" + name + "=sode_xmp_template_make(" + unit_.place(d) + "," + std::to_string(lower.size()) + "," +
                   list("int64_t", lower) + "," + list("int64_t", upper) + ");sode_xmp_template_name(" + name + ",\"" +
                   unit_.directives.spelling(r.name) + "\");}";
        if (!d.function && !unit_.files.isInMainFile(unit_.files.getExpansionLoc(d.hash)))
            actions += "sode_xmp_template_of_header(" + unit_.true_place(d) + ",\"" + unit_.directives.spelling(r.name) + "\"," +
                       name + ");";
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
            formats.push_back("{SODE_GBLOCK,(int64_t)sizeof(*(" + argument + ")),(int64_t const*)(void const*)(" + argument + ")}");
        else
            formats.push_back(std::string{"{"} + (dim.format == "block" ? "SODE_BLOCK" : "SODE_CYCLIC") + "," +
                              (argument.empty() ? "0" : as_int64(argument)) + ",0}");
    }
    return formats;
}

// How many widths the arrays of gblock have, where the compiler knows it.
std::string emitter::widths_given(directive const& d, std::string const& name, std::vector<dimension> const& dims) const {
    std::string code;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        auto const* const e = dims[k].format == "gblock" ? dims[k].lower.parsed : nullptr;
        if (!e || !e->IgnoreParenImpCasts()->getType()->isArrayType()) continue;
        auto const widths = unit_.text(dims[k].lower);
        code.append("sode_xmp_widths_given(").append(unit_.place(d)).append(",").append(name).append(",").append(std::to_string(k));
        code.append(",(int64_t)(sizeof(").append(widths).append(")/sizeof(*(").append(widths).append("))));");
    }
    return code;
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
    auto const name = "__sode_t_" + unit_.directives.spelling(r.name);
    unit_.replace(d, widths_given(d, name, d.on.dims) + "sode_xmp_template_fix(" + unit_.place(d) + "," + name + "," +
                         (lower.empty() ? "0,0" : list("int64_t", lower) + "," + list("int64_t", upper)) + "," +
                         (cut.empty() ? "0" : list("sode_format", cut)) + ");");
}

void emitter::distribute(directive const& d) {
    std::string actions;
    for (std::size_t k = 0; k < d.names.size(); ++k) {
        auto const& r = d.names[k];
        auto const formats = this->formats(r.dims);
        auto const name = "__sode_t_" + unit_.directives.spelling(r.name);
        actions += widths_given(d, name, r.dims) + "sode_xmp_distribute(" + unit_.place(d) + "," + name + ",__sode_n_" +
                   unit_.directives.spelling(d.on.name) + "," + list("sode_format", formats) + ");";
    }
    if (d.kept) actions = "{static int __sode_once;if(!__sode_once++){" + actions + "}}";
    auto const& [declarations, arrays] = delayed_[&d]; // those whose `align` stands above
    if (d.function)
        declare(d, actions + declarations, "");
    else
        declare(d, declarations, actions + arrays);
}

} // namespace sode::compiler
