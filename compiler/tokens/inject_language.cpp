// SPDX-License-Identifier: Apache-2.0
// What XcalableMP adds to C, as C that Clang understands: array sections, coarrays, xmp_desc_of.
#include "compiler/tokens/injector.hpp"

#include <algorithm>
#include <array>

namespace sode::compiler {

void injector::expression_of(tokens const& words) {
    for (std::size_t i = 0; i < words.size(); ++i)
        if (auto const beyond = coarray(words, i); beyond > i)
            i = beyond;
        else if (auto const behind = section(words, i); behind > i)
            i = behind;
        else
            out_.copy(words[i]);
}

std::size_t injector::section(tokens const& all, std::size_t i) {
    if (all[i].isNot(clang::tok::l_square) || !in_function() || i == 0 || i + 1 == all.size()) return i;
    if (all[i - 1].is(clang::tok::l_square) || all[i + 1].is(clang::tok::l_square)) return i; // [[using gnu: unused]]
    std::array<tokens, 3> part;
    std::size_t k = 0, j = i + 1;
    int depth = 0, conditions = 0;
    for (; j < all.size(); ++j) {
        auto const& t = all[j];
        if (t.isOneOf(clang::tok::l_square, clang::tok::l_paren, clang::tok::l_brace)) ++depth;
        if (depth == 0 && t.is(clang::tok::r_square)) break;
        if (t.isOneOf(clang::tok::r_square, clang::tok::r_paren, clang::tok::r_brace)) --depth;
        if (t.isOneOf(clang::tok::semi, clang::tok::eof, clang::tok::annot_pragma_captured)) return i;
        if (depth == 0 && t.is(clang::tok::question)) ++conditions;
        bool const image = t.is(clang::tok::colon) && j + 1 < all.size() && all[j + 1].is(clang::tok::l_square);
        if (depth == 0 && t.is(clang::tok::colon) && !image) {
            if (conditions > 0)
                --conditions;
            else if (++k == 3)
                return i;
            else
                continue;
        }
        if (depth == 0 && t.is(clang::tok::coloncolon) && !names_scope(all, j)) {
            if (k != 0) return i;
            k = 2;
            continue;
        }
        part[k].push_back(t);
    }
    if (k == 0 || j == all.size()) return i;
    auto const here = all[i].getLocation();
    out_.put("[ __sode_section (", here);
    for (std::size_t n = 0; n < 3; ++n) {
        if (n > 0) out_.put(",", here);
        if (part[n].empty())
            out_.put(n == 0 ? "0" : n == 1 ? "- 1" : "1", here);
        else
            expression_of(part[n]);
    }
    out_.put(")", here);
    out_.copy(all[j]);
    return j;
}

// In C++ brackets stand in types, too: template <int n> struct of<int[n]>.
bool injector::of_a_type(tokens const& all, std::size_t i) {
    for (; i-- > 0;) {
        if (all[i].isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace, clang::tok::annot_pragma_captured)) break;
        if (all[i].isOneOf(clang::tok::kw_template, clang::tok::kw_using, clang::tok::kw_typedef, clang::tok::less)) return true;
    }
    return false;
}

std::size_t injector::open_extent(tokens const& all, std::size_t i) {
    if (!at_file_scope()) return i;
    auto const& t = all[i];
    parentheses_ += t.is(clang::tok::l_paren) ? 1 : t.is(clang::tok::r_paren) ? -1 : 0;
    if (parentheses_ > 0) return i; // parameters
    if (t.is(clang::tok::identifier) && i + 1 < all.size() && i > 0 &&
        all[i + 1].isOneOf(clang::tok::equal, clang::tok::semi, clang::tok::comma) && !all[i - 1].is(clang::tok::equal))
        variables_.insert(t.getIdentifierInfo());
    if (t.isNot(clang::tok::l_square)) return i;
    if (i > 0 && (all[i - 1].is(clang::tok::l_square) || (i + 1 < all.size() && all[i + 1].is(clang::tok::l_square))))
        return i; // [[nodiscard]]
    auto end = i;
    bool varies = false;
    for (int depth = 0; end < all.size(); ++end) {
        if (all[end].isOneOf(clang::tok::semi, clang::tok::eof, clang::tok::annot_pragma_captured)) return i;
        depth += all[end].is(clang::tok::l_square) ? 1 : all[end].is(clang::tok::r_square) ? -1 : 0;
        if (depth == 0) break;
        varies = varies || (all[end].is(clang::tok::identifier) && variables_.contains(all[end].getIdentifierInfo()));
    }
    if (!varies || end == all.size() || (is_cxx() && of_a_type(all, i))) return i;
    out_.copy(t);
    tokens const extent(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.begin() + static_cast<std::ptrdiff_t>(end));
    if (is_cxx()) {
        out_.put("__builtin_constant_p (", all[i + 1].getLocation());
        out_.copy(extent);
        out_.put(") ? (", all[i + 1].getLocation());
        out_.copy(extent);
        out_.put(") : 1", all[end - 1].getLocation());
    } else {
        out_.put("__builtin_choose_expr ( 1 , 1 , (", all[i + 1].getLocation());
        out_.copy(extent);
        out_.put(") )", all[end - 1].getLocation());
    }
    out_.copy(all[end]);
    return end;
}

std::size_t injector::coarray(tokens const& all, std::size_t i) {
    auto& out = source_.stream;
    if (all[i].isNot(clang::tok::colon)) return i;
    // No expression of C begins with a bracket.
    if (i + 1 >= all.size() || all[i + 1].isNot(clang::tok::l_square) || out.empty() ||
        !out.back().isOneOf(clang::tok::r_square, clang::tok::identifier, clang::tok::r_paren) ||
        (i + 2 < all.size() && all[i + 2].is(clang::tok::l_square)))
        return i; // an attribute behind a label is no image
    std::vector<tokens> indices;
    auto end = i;
    while (end + 1 < all.size() && all[end + 1].is(clang::tok::l_square)) {
        auto close = end + 1;
        tokens index;
        for (int depth = 0; close < all.size(); ++close) {
            depth += all[close].is(clang::tok::l_square) ? 1 : all[close].is(clang::tok::r_square) ? -1 : 0;
            if (depth == 0) break;
            if (close > end + 1) index.push_back(all[close]);
        }
        if (close == all.size() || index.empty()) return i;
        if (is_cxx() && close + 1 < all.size() && all[close + 1].isOneOf(clang::tok::l_paren, clang::tok::l_brace))
            return i; // a ? b : [&] { .. }()
        indices.push_back(std::move(index));
        end = close;
    }
    auto const star = [](tokens const& t) { return t.size() == 1 && t[0].is(clang::tok::star); };
    // Back over the postfix expression: names, brackets, members; what it begins with may be in brackets, (x):[k].
    auto begin = out.size();
    auto const back_over = [&](clang::tok::TokenKind open, clang::tok::TokenKind shut) {
        int depth = 0;
        do {
            --begin;
            depth += out[begin].is(shut) ? 1 : out[begin].is(open) ? -1 : 0;
        } while (depth > 0 && begin > 0);
    };
    for (;;) {
        while (begin > 0 && out[begin - 1].is(clang::tok::r_square)) back_over(clang::tok::l_square, clang::tok::r_square);
        if (begin == 0) return i;
        if (out[begin - 1].is(clang::tok::r_paren)) {
            back_over(clang::tok::l_paren, clang::tok::r_paren);
            if (begin == 0 || out[begin - 1].isOneOf(clang::tok::identifier, clang::tok::r_square, clang::tok::r_paren))
                return i; // a call
            break;
        }
        --begin;
        if (begin < 2 || !out[begin - 1].isOneOf(clang::tok::period, clang::tok::arrow, clang::tok::coloncolon)) break;
        if (out[begin - 1].is(clang::tok::coloncolon) && out[begin - 2].isNot(clang::tok::identifier)) { // ::x
            --begin;
            break;
        }
        --begin;
    }
    auto const at = out[begin].getLocation();
    if (std::ranges::any_of(indices, star)) {
        if (std::ranges::any_of(source_.coarrays, [&](auto const& c) { return c.name == at; }))
            source_.error(placeless_, at, "the codimensions of a coarray follow one colon, x:[2][*]");
        else if (!star(indices.front()) && !star(indices.back()))
            source_.error(placeless_, at, "the codimension * must be the first or the last; write x:[2][*]");
        else if (std::ranges::count_if(indices, star) > 1)
            source_.error(placeless_, at, "exactly one codimension of a coarray must be *");
        for (auto& index : indices)
            if (star(index)) index.clear();
        source_.coarrays.push_back({at, all[i].getLocation(), all[end].getLocation(), std::move(indices)});
        return end;
    }
    if (at_file_scope()) { // no image is referred to there
        source_.error(placeless_, at, "exactly one codimension of a coarray must be *");
        return end;
    }
    tokens const what(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
    out.resize(begin);
    out_.put("( * ( __sode_image ( " + std::to_string(source_.image_references.size()), at);
    source_.image_references.push_back({in_file(at), in_file(all[i].getLocation()), in_file(all[end].getLocation())});
    for (auto const& index : indices) {
        out_.put(", (", at);
        expression_of(index);
        out_.put(")", at);
    }
    out_.put(") , &", at);
    out_.copy(what);
    out_.put(") )", all[end].getLocation());
    return end;
}

clang::SourceLocation injector::in_file(clang::SourceLocation at) const {
    auto const& files = source_.preprocessor().getSourceManager();
    auto place = at;
    while (place.isMacroID()) {
        auto const around = files.getImmediateExpansionRange(place).getBegin();
        if (around.isFileID() && llvm::StringRef{files.getCharacterData(around)}.startswith("_Pragma"))
            return files.getSpellingLoc(place);
        if (!files.isMacroArgExpansion(place)) return at;
        place = files.getImmediateSpellingLoc(place);
    }
    return place;
}

std::size_t injector::atomic(tokens const& all, std::size_t i) {
    auto const* const name = all[i].getIdentifierInfo();
    bool const define = name && name->getName() == "xmp_atomic_define", refer = name && name->getName() == "xmp_atomic_ref";
    if ((!define && !refer) || !in_function() || i + 2 >= all.size() || all[i + 1].isNot(clang::tok::l_paren)) return i;
    out_.copy(all[i]);
    out_.copy(all[i + 1]);
    if (define) {
        out_.put("&", all[i + 2].getLocation());
        return i + 1;
    }
    int depth = 0;
    for (auto j = i + 2; j < all.size() && depth >= 0; ++j) {
        if (depth == 0 && all[j].is(clang::tok::comma)) {
            comma_of_ref_ = j + 1;
            break;
        }
        depth += all[j].isOneOf(clang::tok::l_paren, clang::tok::l_square)   ? 1
                 : all[j].isOneOf(clang::tok::r_paren, clang::tok::r_square) ? -1
                                                                             : 0;
    }
    return i + 1;
}

std::size_t injector::whole_array(tokens const& all, std::size_t i) {
    static std::set<std::string, std::less<>> const functions{"xmp_transpose", "xmp_matmul",      "xmp_gather",  "xmp_scatter",
                                                              "sode_xmp_pack", "sode_xmp_unpack", "xmp_sort_up", "xmp_sort_down"};
    auto const* const name = all[i].getIdentifierInfo();
    if (!name || i + 1 >= all.size()) return i;
    if (functions.contains(name->getName().str()) && all[i + 1].is(clang::tok::l_paren)) {
        arguments_end_ = i + 1;
        for (int depth = 0; arguments_end_ < all.size(); ++arguments_end_) {
            depth += all[arguments_end_].is(clang::tok::l_paren) ? 1 : all[arguments_end_].is(clang::tok::r_paren) ? -1 : 0;
            if (depth == 0) break;
        }
        return i;
    }
    if (i >= arguments_end_ || !all[i - 1].isOneOf(clang::tok::l_paren, clang::tok::comma)) return i;
    auto end = i;
    while (end + 3 < all.size() && all[end + 1].is(clang::tok::l_square) && all[end + 2].is(clang::tok::colon) &&
           all[end + 3].is(clang::tok::r_square))
        end += 3;
    if (end == i || !all[end + 1].isOneOf(clang::tok::r_paren, clang::tok::comma)) return i;
    out_.put("__sode_desc (", all[i].getLocation());
    out_.copy(all[i]);
    out_.put(")", all[end].getLocation());
    return end;
}

std::size_t injector::descriptor(tokens const& all, std::size_t i) {
    auto const* const name = all[i].getIdentifierInfo();
    if (!name || name->getName() != "xmp_desc_of" || i + 3 >= all.size() || all[i + 1].isNot(clang::tok::l_paren) ||
        all[i + 2].isAnnotation() || !all[i + 2].getIdentifierInfo())
        return i;
    auto const& of = all[i + 2];
    auto close = i + 3;
    while (close + 2 < all.size() && all[close].is(clang::tok::period) && all[close + 1].is(clang::tok::identifier)) close += 2;
    if (all[close].isNot(clang::tok::r_paren)) return i;
    out_.put("__sode_desc (", all[i].getLocation());
    if (nodes_.contains(of.getIdentifierInfo()))
        out_.name(nodes_prefix, of);
    else if (templates_.contains(of.getIdentifierInfo()))
        out_.name(template_prefix, of);
    else
        for (auto k = i + 2; k < close; ++k) out_.copy(all[k]);
    out_.copy(all[close]);
    return close;
}

} // namespace sode::compiler
