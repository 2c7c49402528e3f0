// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/directives/source.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace sode::compiler {

/// Understands the words of one directive, and says what is wrong with them.
class parser {
public:
    parser(source const& s, directive& d) : source_(s), d_(d) {}
    void run();

    // How many letters two words differ in.
    static std::size_t distance(std::string const& a, std::string const& b) {
        std::vector<std::size_t> row(b.size() + 1);
        for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            auto before = row[0]++;
            for (std::size_t j = 1; j <= b.size(); ++j) {
                auto const here = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, before + (a[i - 1] == b[j - 1] ? 0U : 1U)});
                before = here;
            }
        }
        return row.back();
    }
    /// " (there are a, b and c)"
    static std::string choice(std::set<std::string> const& words);
    /// "; did you mean 'word'?"
    static std::string question(std::string const& word) { return word.empty() ? "" : "; did you mean '" + word + "'?"; }
    /// The known word that is closest to `word`; "": none differs in less than three letters. Known: names, or a map from them.
    template <class Known> static std::string nearest(std::string const& word, Known const& known) {
        std::string best;
        auto least = std::min<std::size_t>(3, word.size()); // of nothing in common, none is meant
        auto const look = [&](std::string const& name) {
            if (auto const far = distance(word, name); far < least) least = far, best = name;
        };
        for (auto const& each : known)
            if constexpr (requires { each.first; })
                look(each.first);
            else
                look(each);
        return best;
    }

private:
    [[nodiscard]] bool over() const { return at_ >= d_.words.size(); }
    [[nodiscard]] std::string word() const { return over() ? "" : source_.spelling(d_.words[at_]); }
    void wrong(std::string const& message, std::string const& instead = "");
    void no_steps();
    bool take(char const* w);
    bool need(char const* w);
    static bool opens(std::string const& w) { return w == "(" || w == "[" || w == "{"; }
    static bool closes(std::string const& w) { return w == ")" || w == "]" || w == "}"; }
    // What lies between two brackets.
    tokens group(char const* open, char const* close);
    // a:b:c, ... Conditional expressions keep their colons.
    std::vector<dimension> dimensions(tokens const& list);
    void brackets(reference& r);
    reference named();
    // x or x.m, behind the words of align and shadow
    reference named_array();
    reference name();
    void members(reference& r);
    void nothing() {}
    void declared();
    // [..] :: a, b
    bool colons();
    void names_behind(reference const& shape);
    void nodes();
    // mapping(auto), mapping(order), mapping[1][4]
    void mapping();
    void spaces();
    declaration& another();
    // What stands behind `=`: nodes, * (those that execute) or ** (all of the program).
    void same_as(reference& of, bool& has_of, int& executing);
    void distribute();
    void format(dimension& dim);
    void align();
    void shadow();
    void static_desc();
    // XcalableMP's interface of tools
    void no_profile();
    void unknown_clause();
    void unexpected();
    void threads();
    void on_clause();
    // The same, also for `*` and `**`.
    void on_set();
    // A clause is said once.
    void once(bool again, char const* clause);
    void loop();
    // expand(/unbound/1:1, 0), margin(-1, -1), peel_and_wait(id, -1, -1)
    void window();
    void index_list();
    void array();
    // a, b : [*]
    void coarray();
    // (p[1], tag)
    void post();
    void tag();
    // nothing, (p[0]) or (p[0], tag)
    void wait();
    void lock();
    void image();
    void task();
    void barrier();
    void items(tokens const& list);
    void reduce();
    void gmove();
    // v/ix, iy/: one value, and variables that say where it is
    void located(tokens const& list);
    void bcast();
    void reflect();
    void async();
    // `acc`, of a directive that may have it
    bool accelerated();
    void wait_async();
    // [block] t[n], or t[n]
    void fix();
    // /periodic/1:1, 0
    void widths(tokens const& list, char const* modifier, char const* clause);
    source const& source_;
    directive& d_;
    std::size_t at_ = 0;
    int locations_ = 0;
};

} // namespace sode::compiler
