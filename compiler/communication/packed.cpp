// SPDX-License-Identifier: Apache-2.0
// Variables and sections of arrays that `reduction` and `bcast` name. What does not lie together in memory is packed, and unpacked
// behind the directive.
#include "compiler/arrays/sections.hpp"

namespace sode::compiler {
namespace {

bool whole(unit const& u, clang::CallExpr const* section) {
    return section && left_out(u, section->getArg(0)) && left_out(u, section->getArg(1)) && left_out(u, section->getArg(2));
}

} // namespace

std::string named_memory::required(std::string const& at, std::string const& set) const {
    return part.empty() ? "" : "sode_xmp_require_part(" + at + "," + set + "," + part + ");";
}

// An index as the program has it. In a cyclic dimension the text has been translated to this rank's position.
std::string emitter::global_index(clang::Expr const* index, aligned_array const& a, std::size_t dim) const {
    auto text = unit_.text(index);
    auto const before = position_call(a, dim);
    return text.starts_with(before) ? text.substr(before.size(), text.size() - before.size() - 1) : text;
}

// Elements of a distributed array, which some of the nodes may not have.
std::string emitter::part(aligned_array const& a, std::vector<clang::ArraySubscriptExpr const*> const& subscripts) const {
    auto const extents = this->extents(a);
    std::vector<std::string> ranges;
    for (std::size_t k = 0; k < a.dims; ++k) {
        auto const* const index = k < subscripts.size() ? index_of(subscripts[k]) : nullptr;
        auto const* const section = index ? section_of(index) : nullptr;
        if (!index) {
            ranges.push_back("{0," + as_int64(extents[k]) + ",1}");
        } else if (!section) {
            auto const at = as_int64(global_index(index, a, k));
            ranges.push_back("{" + at + "," + at + "+1,1}");
        } else {
            auto const from = as_int64(section_part(unit_, section, 0)), by = as_int64(section_part(unit_, section, 2));
            auto const end = left_out(unit_, section->getArg(1)) ? "(" + by + "<0?0:" + as_int64(extents[k]) + ")"
                                                                 : from + "+" + as_int64(unit_.text(section->getArg(1))) + "*" + by;
            ranges.push_back("{" + from + "," + end + "," + by + "}");
        }
    }
    return "&" + a.state() + "," + list("sode_range", ranges);
}

named_memory emitter::memory(directive const& d, expression const& item) const {
    auto named = memory_of(d, item);
    auto const [subscripts, root] = subscripts_of(item.parsed->IgnoreParenImpCasts());
    if (auto const* const a = subscripts.empty() ? nullptr : unit_.array(root)) named.part = part(*a, subscripts);
    return named;
}

// On the device: a kernel packs them, and the host has them packed.
named_memory emitter::packed_by_device(directive const& d, std::vector<clang::ArraySubscriptExpr const*> const& subscripts,
                                       clang::Expr const* root) const {
    std::string row = unit_.text(root), first = row, counts, strides;
    int dims = 0;
    for (auto const* const each : subscripts) {
        auto const* const section = section_of(index_of(each));
        if (section) {
            auto const from = section_part(unit_, section, 0), by = section_part(unit_, section, 2);
            auto const count = left_out(unit_, section->getArg(1)) ? "sode_xmp_count((int64_t)(sizeof(" + row + ")/sizeof((" + row +
                                                                         ")[0]))," + from + "," + by + ")"
                                                                   : as_int64(unit_.text(section->getArg(1)));
            counts += (dims == 0 ? "" : ",") + count;
            strides += (dims == 0 ? "" : ",") + ("(int64_t)sizeof((" + row + ")[0])*" + by);
            first += "[" + from + "]";
            ++dims;
        } else {
            first += "[" + unit_.text(index_of(each)) + "]";
        }
        row = "(" + row + ")[0]";
    }
    return {"__sode_v", "__sode_m",
            "{sode_acc_side const __sode_s={-1,&(" + first + "),1,sizeof(" + first + ")," + std::to_string(dims) + ",{" + counts +
                "},{" + strides + "}};size_t __sode_m=0;char*const __sode_v=(char*)sode_acc_packed(" + unit_.place(d) +
                ",&__sode_s,&__sode_m," + (d.kind == "loop" ? "0" : "1") + ");",
            "sode_acc_unpacked(" + unit_.place(d) + ",&__sode_s,__sode_v);}", ""};
}

named_memory emitter::memory_of(directive const& d, expression const& item) const {
    auto const [subscripts, root] = subscripts_of(item.parsed->IgnoreParenImpCasts());
    auto const at = item.words.front().getLocation();
    std::size_t first = 0; // section
    while (first < subscripts.size() && !section_of(index_of(subscripts[first]))) ++first;
    if (auto const* const a = unit_.array(root))
        for (std::size_t k = 0; k < subscripts.size() && k < a->dims; ++k)
            if (format(*a, k) == "cyclic" && section_of(index_of(subscripts[k])))
                unit_.error(at,
                            "'" + a->name() + "' is cyclic in dimension " + std::to_string(k + 1) + ", and '" + d.kind +
                                "' takes sections only of dimensions that are not cyclic; copy the section to a variable first");
    if (has_section(root))
        unit_.error(at, "members of a section of structures are not supported here; copy them to an array first");
    if (first == subscripts.size()) {
        auto const text = unit_.text(item);
        return {"&(" + text + ")", "sizeof(" + text + ")", "", "", ""};
    }
    auto const* const section = section_of(index_of(subscripts[first]));
    auto const* const base = base_of(subscripts[first])->IgnoreParenImpCasts();
    bool together = left_out(unit_, section->getArg(2));
    for (auto k = first + 1; k < subscripts.size(); ++k) together = together && whole(unit_, section_of(index_of(subscripts[k])));
    if (left_out(unit_, section->getArg(1)) && !base->getType()->isArrayType())
        unit_.error(at, "the number of elements is missing; write [from:count]");
    if (together) {
        auto const text = unit_.text(base), from = section_part(unit_, section, 0);
        auto const address = "&(" + text + ")[" + from + "]";
        if (!left_out(unit_, section->getArg(1)))
            return {address, "((size_t)(" + unit_.text(section->getArg(1)) + ")*sizeof(*(" + address + ")))", "", "", ""};
        return {address, "(sizeof(" + text + ")-(size_t)" + from + "*sizeof(*(" + address + ")))", "", "", ""};
    }
    if (on_device(d)) return packed_by_device(d, subscripts, root);
    std::string row = unit_.text(root), element = row, counts, nest, total = "1";
    for (std::size_t k = 0; k < subscripts.size(); ++k, row = "(" + row + ")[0]") {
        auto const* const part = section_of(index_of(subscripts[k]));
        if (!part) {
            element += "[" + unit_.text(index_of(subscripts[k])) + "]";
            continue;
        }
        auto const id = std::to_string(k), from = section_part(unit_, part, 0), by = section_part(unit_, part, 2);
        counts += "int64_t const __sode_n" + id + "=" +
                  (left_out(unit_, part->getArg(1))
                       ? "sode_xmp_count((int64_t)(sizeof(" + row + ")/sizeof((" + row + ")[0]))," + from + "," + by + ")"
                       : unit_.text(part->getArg(1))) +
                  ";";
        nest += "for(int64_t __sode_i" + id + "=0;__sode_i" + id + "<__sode_n" + id + ";__sode_i" + id + "++)";
        total += "*(size_t)__sode_n" + id;
        element += "[" + from + "+__sode_i" + id + "*" + by + "]";
    }
    auto const copy = [&](std::string const& to, std::string const& from) {
        return nest + "{__builtin_memcpy(" + to + "," + from + ",sizeof(" + row + "));__sode_m+=sizeof(" + row + ");}";
    };
    std::string const packed = "__sode_v+__sode_m", there = "&(" + element + ")";
    return {"__sode_v", "__sode_m",
            "{" + counts + "char*const __sode_v=(char*)sode_xmp_room(" + total + "*sizeof(" + row + "));size_t __sode_m=0;" +
                copy(packed, there),
            "__sode_m=0;" + copy(there, packed) + "sode_xmp_room_free(__sode_v);}", ""};
}

} // namespace sode::compiler
