// SPDX-License-Identifier: Apache-2.0
// Directives become code for Clang's eyes only: every expression of a clause is the argument of a call `__sode_e(directive, slot,
// expression)` in the scope where the directive stands, so that Clang resolves names, checks types and says what is wrong.
#include "source.hpp"

#include "token_writer.hpp"
#include <algorithm>
#include <array>
#include <set>

namespace sode::compiler {
namespace {

class injector {
public:
    explicit injector(source& s) : source_(s), out_(s, s.stream) {}

    void run(tokens const& all) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto const& t = all[i];
            if (t.is(clang::tok::l_brace)) scopes_.push_back(scope_of(all, i));
            if (t.is(clang::tok::r_brace) && !scopes_.empty()) scopes_.pop_back();
            if (t.is(clang::tok::annot_pragma_captured))
                replace(*static_cast<directive*>(t.getAnnotationValue()));
            else if (auto const beyond = coarray(all, i); beyond > i)
                i = beyond;
            else if (auto const behind = section(all, i); behind > i)
                i = behind;
            else if (auto const close = open_extent(all, i); close > i)
                i = close;
            else if (auto const after = descriptor(all, i); after > i)
                i = after;
            else if (t.is(clang::tok::comma) && comma_of_ref_ == i + 1) {
                out_.copy(t);
                out_.put("&", all[i + 1].getLocation());
            } else if (auto const behind = atomic(all, i); behind > i)
                i = behind;
            else if (auto const behind_whole = whole_array(all, i); behind_whole > i)
                i = behind_whole;
            else
                out_.copy(t);
        }
    }

private:
    enum class scope { function, record, name_space, other };

    [[nodiscard]] bool in_function() const { return !scopes_.empty() && scopes_.back() == scope::function; }

    // What the brace at i opens.
    [[nodiscard]] scope scope_of(tokens const& all, std::size_t i) const {
        if (in_function()) return scope::function;
        if (i > 0 && all[i - 1].is(clang::tok::equal)) return scope::other;
        bool parameters = false, record = false;
        for (auto j = i; j-- > 0;) {
            auto const& t = all[j];
            if (t.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace, clang::tok::annot_pragma_captured)) break;
            if (t.is(clang::tok::r_paren)) {
                parameters = true;
                for (int depth = 1; depth > 0 && j > 0;) {
                    --j;
                    depth += all[j].is(clang::tok::r_paren) ? 1 : all[j].is(clang::tok::l_paren) ? -1 : 0;
                }
            }
            record = record || t.isOneOf(clang::tok::kw_struct, clang::tok::kw_union, clang::tok::kw_enum, clang::tok::kw_class);
            if (t.is(clang::tok::kw_namespace) || (t.is(clang::tok::kw_extern) && all[j + 1].is(clang::tok::string_literal)))
                return scope::name_space;
        }
        return parameters ? scope::function : record ? scope::record : scope::other;
    }

    // x[a:b:c], which is no C: x[__sode_section(a, b, c)]. The index of the closing bracket; i where there is no section.
    std::size_t section(tokens const& all, std::size_t i) {
        if (all[i].isNot(clang::tok::l_square) || !in_function()) return i;
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
            part[k].push_back(t);
        }
        if (k == 0) return i;
        auto const here = all[i].getLocation();
        out_.put("[ __sode_section (", here);
        for (std::size_t n = 0; n < 3; ++n) {
            if (n > 0) out_.put(",", here);
            if (part[n].empty())
                out_.put(n == 0 ? "0" : n == 1 ? "- 1" : "1", here);
            else
                out_.copy(part[n]);
        }
        out_.put(")", here);
        out_.copy(all[j]);
        return j;
    }

    // int a[n] at file scope, which is no C: a[__builtin_choose_expr(1, 1, n)], of which the user's text is n. The index of the
    // closing bracket; i where the extent is a constant, as far as one can see.
    std::size_t open_extent(tokens const& all, std::size_t i) {
        if (!scopes_.empty()) return i;
        auto const& t = all[i];
        parentheses_ += t.is(clang::tok::l_paren) ? 1 : t.is(clang::tok::r_paren) ? -1 : 0;
        if (parentheses_ > 0) return i; // parameters
        if (t.is(clang::tok::identifier) && i + 1 < all.size() && i > 0 &&
            all[i + 1].isOneOf(clang::tok::equal, clang::tok::semi, clang::tok::comma) && !all[i - 1].is(clang::tok::equal))
            variables_.insert(t.getIdentifierInfo());
        if (t.isNot(clang::tok::l_square)) return i;
        auto end = i;
        bool varies = false;
        for (int depth = 0; end < all.size(); ++end) {
            if (all[end].isOneOf(clang::tok::semi, clang::tok::eof, clang::tok::annot_pragma_captured)) return i;
            depth += all[end].is(clang::tok::l_square) ? 1 : all[end].is(clang::tok::r_square) ? -1 : 0;
            if (depth == 0) break;
            varies = varies || (all[end].is(clang::tok::identifier) && variables_.contains(all[end].getIdentifierInfo()));
        }
        if (!varies || end == all.size()) return i;
        out_.copy(t);
        out_.put("__builtin_choose_expr ( 1 , 1 , (", all[i + 1].getLocation());
        out_.copy(tokens(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.begin() + static_cast<std::ptrdiff_t>(end)));
        out_.put(") )", all[end - 1].getLocation());
        out_.copy(all[end]);
        return end;
    }

    // `:[` behind a name or a bracket: a coarray is declared, or another image's is meant. The index of the last bracket.
    std::size_t coarray(tokens const& all, std::size_t i) {
        auto& out = source_.stream;
        if (all[i].isNot(clang::tok::colon)) return i;
        // No expression of C begins with a bracket.
        if (i + 1 >= all.size() || all[i + 1].isNot(clang::tok::l_square) || out.empty() ||
            !out.back().isOneOf(clang::tok::r_square, clang::tok::identifier))
            return i;
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
            indices.push_back(std::move(index));
            end = close;
        }
        auto const star = [](tokens const& t) { return t.size() == 1 && t[0].is(clang::tok::star); };
        // Back over the postfix expression: names, brackets, members.
        auto begin = out.size();
        for (;;) {
            while (begin > 0 && out[begin - 1].is(clang::tok::r_square)) {
                int depth = 0;
                do {
                    --begin;
                    depth += out[begin].is(clang::tok::r_square) ? 1 : out[begin].is(clang::tok::l_square) ? -1 : 0;
                } while (depth > 0 && begin > 0);
            }
            if (begin == 0) return i;
            --begin;
            if (begin < 2 || !out[begin - 1].isOneOf(clang::tok::period, clang::tok::arrow)) break;
            --begin;
        }
        auto const at = out[begin].getLocation();
        if (std::ranges::any_of(indices, star)) {
            if (!star(indices.front()) && !star(indices.back()))
                source_.error(placeless_, at, "the codimension * is the first one or the last");
            for (auto& index : indices)
                if (star(index)) index.clear();
            source_.coarrays.push_back({at, all[i].getLocation(), all[end].getLocation(), std::move(indices)});
            return end;
        }
        tokens const what(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
        out.resize(begin);
        out_.put("( * ( __sode_image ( " + std::to_string(source_.image_references.size()), at);
        for (auto const& index : indices) {
            out_.put(", (", at);
            out_.copy(index);
            out_.put(")", at);
        }
        out_.put(") , &", at);
        out_.copy(what);
        out_.put(") )", all[end].getLocation());
        source_.image_references.push_back({at, all[i].getLocation(), all[end].getLocation()});
        return end;
    }

    // xmp_atomic_define(x:[1], v), xmp_atomic_ref(&v, x:[1]): the functions get x's address. The index of the bracket.
    std::size_t atomic(tokens const& all, std::size_t i) {
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

    // x[:][:] in the call of a function on whole arrays is xmp_desc_of(x). The index of the last bracket.
    std::size_t whole_array(tokens const& all, std::size_t i) {
        static std::set<std::string, std::less<>> const functions{"xmp_transpose", "xmp_matmul",    "xmp_gather",
                                                                  "xmp_scatter",   "sode_xmp_pack", "sode_xmp_unpack",
                                                                  "xmp_sort_up",   "xmp_sort_down"};
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

    // xmp_desc_of(x): x may be no name that C knows. The index of the closing bracket.
    std::size_t descriptor(tokens const& all, std::size_t i) {
        auto const* const name = all[i].getIdentifierInfo();
        if (!name || name->getName() != "xmp_desc_of" || i + 3 >= all.size() || all[i + 1].isNot(clang::tok::l_paren) ||
            !all[i + 2].getIdentifierInfo() || all[i + 3].isNot(clang::tok::r_paren))
            return i;
        auto const& of = all[i + 2];
        out_.put("__sode_desc (", all[i].getLocation());
        if (nodes_.contains(of.getIdentifierInfo()))
            out_.name(nodes_prefix, of);
        else if (templates_.contains(of.getIdentifierInfo()))
            out_.name(template_prefix, of);
        else
            out_.copy(of);
        out_.copy(all[i + 3]);
        return i + 3;
    }

    void slot(directive& d, expression& e) {
        if (!e.given()) return;
        d.slots.push_back(&e);
        auto const at = e.words.front().getLocation();
        out_.put("__sode_e ( " + std::to_string(d.number) + " , " + std::to_string(d.slots.size() - 1) + " , (", at);
        tokens const words = e.words;
        for (std::size_t i = 0; i < words.size(); ++i)
            if (auto const beyond = coarray(words, i); beyond > i)
                i = beyond;
            else if (auto const behind = section(words, i); behind > i)
                i = behind;
            else
                out_.copy(words[i]);
        out_.put(") ) ;", e.words.back().getLocation());
    }
    void slots(directive& d, std::vector<dimension>& dims) {
        for (auto& dim : dims)
            for (auto* e : {&dim.lower, &dim.upper, &dim.step}) slot(d, *e);
    }
    // A name of nodes or a template: an expression, too, so that an unknown one is Clang's error.
    void known(directive& d, clang::Token const& name) {
        bool const nodes = is_nodes(name);
        auto const at = name.getLocation();
        out_.put("__sode_n ( " + std::to_string(d.number) + " ,", at);
        out_.name(nodes ? nodes_prefix : template_prefix, name);
        out_.put(") ;", at);
    }
    [[nodiscard]] bool is_nodes(clang::Token const& name) const {
        return nodes_.contains(name.getIdentifierInfo()) && !templates_.contains(name.getIdentifierInfo());
    }
    void dummies(std::vector<dimension> const& dims) {
        for (auto const& dim : dims)
            if (dim.lower.words.size() == 1 && dim.lower.words[0].getIdentifierInfo()) {
                out_.put("long", dim.lower.words[0].getLocation());
                out_.copy(dim.lower.words[0]);
                out_.put("= 0 ;", dim.lower.words[0].getLocation());
            }
    }

    void replace(directive& d) {
        parse(source_, d);
        if (d.wrong) return;
        write(d);
        for (auto& next : std::exchange(d.more, {})) { // the first name is known to the others
            auto& all = source_.directives;
            auto& rider = *all.emplace_back(std::make_unique<directive>());
            rider.number = static_cast<unsigned>(all.size() - 1);
            rider.hash = d.hash;
            rider.end = d.end;
            rider.kind = d.kind;
            rider.names = {next.name};
            rider.on = next.of;
            rider.has_on = next.has_of;
            rider.executing = next.executing;
            rider.rides = true;
            d.riders.push_back(&rider);
            write(rider);
        }
    }
    void write(directive& d) {
        auto const here = d.hash;
        bool const prefix = d.kind == "loop" || d.kind == "task" || d.kind == "gmove" || d.kind == "array" || d.kind == "tasks";
        bool const declares = d.kind == "nodes" || d.kind == "template" || d.kind == "distribute" || d.kind == "align" ||
                              d.kind == "shadow" || d.kind == "coarray";
        if (!declares && !in_function()) return source_.error(d, here, "'" + d.kind + "' stands outside of a function");
        if (!scopes_.empty() && scopes_.back() != scope::function && scopes_.back() != scope::name_space)
            return source_.error(d, here, "'" + d.kind + "' stands inside a type or an initializer");
        // A `while` and not an `if`, which would take an `else` that is another's.
        if (prefix)
            out_.put("while ( ( {", here);
        else if (in_function())
            out_.put("{", here);
        else {
            out_.put("_Static_assert ( sizeof ( ^ ( void", here);
            out_.put(") {", here.getLocWithOffset(1)); // equal begin and end would mean that nobody wrote the signature
        }
        out_.put("__sode_h ( " + std::to_string(d.number) + " ) ;", here);
        expressions(d);
        if (prefix)
            out_.put("1 ; } ) )", here);
        else if (in_function())
            out_.put("}", here);
        else
            out_.put("} ) , \"\" ) ;", here);
        if (d.kind == "nodes" || d.kind == "template") declare(d);
    }
    void declare(directive& d) {
        for (auto const& r : d.names) {
            (d.kind == "nodes" ? nodes_ : templates_).insert(r.name.getIdentifierInfo());
            out_.put("enum {", d.hash);
            out_.name(d.kind == "nodes" ? nodes_prefix : template_prefix, r.name);
            out_.put("= " + std::to_string(d.number) + " } ;", d.hash);
        }
    }
    void expressions(directive& d) {
        auto& k = d.kind;
        if (k == "nodes" || k == "template") {
            slots(d, d.names.front().dims);
            if (d.has_on) of(d, d.on);
        } else if (k == "distribute") {
            for (auto& r : d.names) {
                slots(d, r.dims);
                known(d, r.name);
            }
            known(d, d.on.name);
        } else if (k == "align") {
            known(d, d.on.name);
            for (auto& r : d.names) array(d, r.name);
            out_.put("{", d.hash);
            dummies(d.names.front().dims);
            slots(d, d.on.dims);
            out_.put("}", d.hash);
        } else if (k == "coarray") {
            for (auto& r : d.names) array(d, r.name);
        } else if (k == "shadow") {
            for (auto& r : d.names) array(d, r.name);
            slots(d, d.names.front().dims);
        } else if (k == "loop") {
            for (auto& item : d.items) slot(d, item);
            slots(d, d.width);
            slot(d, d.async);
            known(d, d.on.name);
            out_.put("{", d.hash);
            for (auto const& t : d.indices) {
                out_.put("long", d.hash);
                out_.copy(t);
                out_.put("= 0 ;", d.hash);
            }
            slots(d, d.on.dims);
            out_.put("}", d.hash);
        } else if (k == "template_fix") {
            known(d, d.names.front().name);
            slots(d, d.names.front().dims);
            slots(d, d.on.dims);
        } else {
            slot(d, d.async);
            for (auto& item : d.items) slot(d, item);
            slots(d, d.width);
            if (d.has_on) of(d, d.on);
            if (d.has_from) of(d, d.from);
        }
    }
    void of(directive& d, reference& r) {
        known(d, r.name);
        slots(d, r.dims);
    }
    // The arrays that align and shadow are about, in the order of d.names.
    void array(directive& d, clang::Token const& name) {
        out_.put("__sode_a ( " + std::to_string(d.number) + " ,", name.getLocation());
        out_.copy(name);
        out_.put(") ;", name.getLocation());
    }

    source& source_;
    token_writer out_;
    std::vector<scope> scopes_;
    directive placeless_;
    int parentheses_ = 0;           // at file scope
    std::size_t arguments_end_ = 0; // of a function on whole arrays
    std::size_t comma_of_ref_ = 0;  // behind it stands what xmp_atomic_ref() reads
    std::set<clang::IdentifierInfo const*> nodes_, templates_, variables_;
};

} // namespace

void inject(source& s, tokens const& all) {
    injector{s}.run(all);
}

} // namespace sode::compiler
