// SPDX-License-Identifier: Apache-2.0
// Combined directives: `template, distribute [block] onto p :: t[8]` is a directive for each attribute.
#include "compiler/directives/source.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace sode::compiler {
namespace {

class combination {
public:
    combination(source& s, directive& d) : source_(s), d_(d) {}

    // False: it is no combined directive.
    bool read() {
        static std::map<std::string, int> const order{{"nodes", 0},      {"template", 1}, {"dimension", 2},
                                                      {"distribute", 3}, {"align", 4},    {"shadow", 5}};
        std::size_t const colons = colons_at();
        if (colons == d_.words.size()) return false;
        auto const attributes = split({d_.words.begin(), at(colons)});
        for (auto const& a : attributes) {
            auto const kind = a.empty() ? order.end() : order.find(source_.spelling(a.front()));
            if (kind == order.end()) return false;
            if (attributes.size() > 1 && !attributes_.try_emplace(kind->second, a).second)
                source_.error(d_, a.front().getLocation(),
                              "'" + kind->first +
                                  "' appears twice in a combined directive; write it once, and several names behind ::");
        }
        if (attributes.size() < 2) return false;
        auto const behind = colons + (d_.words[colons].is(clang::tok::coloncolon) ? 1 : 2);
        between_.assign(at(colons), at(behind));
        names_ = split({at(behind), d_.words.end()});
        return true;
    }

    // The words of each, in an order in which those that stand on others come later.
    std::vector<tokens> words() {
        std::vector<tokens> all;
        bool const nodes = attributes_.contains(0), spaces = attributes_.contains(1), dims = attributes_.contains(2);
        if ((nodes && attributes_.size() > (dims ? 2U : 1U)) || (spaces && (attributes_.contains(4) || attributes_.contains(5))))
            source_.error(
                d_, d_.words.front().getLocation(),
                "a combined directive declares nodes, or a template and its distribution, or arrays; write one directive for each");
        if (dims && !nodes && !spaces)
            source_.error(d_, attributes_[2].front().getLocation(),
                          "'dimension' is for 'nodes' and 'template'; an array's extents are in its declaration");
        for (auto const& [kind, attribute] : attributes_) {
            if (kind == 2) continue;
            auto& one = all.emplace_back(attribute);
            if (kind > 2) one.insert(one.end(), between_.begin(), between_.end());
            bool first = true;
            for (auto const& name : names_) {
                if (!std::exchange(first, false)) one.push_back(comma_);
                bool const bare =
                    std::ranges::none_of(name, [](auto const& t) { return t.isOneOf(clang::tok::l_square, clang::tok::l_paren); });
                auto const end = kind > 2
                                     ? std::ranges::find_if(
                                           name, [](auto const& t) { return t.isOneOf(clang::tok::l_square, clang::tok::l_paren); })
                                     : name.end();
                one.insert(one.end(), name.begin(), end);
                if (kind < 2 && bare && dims) one.insert(one.end(), std::next(attributes_[2].begin()), attributes_[2].end());
            }
        }
        return all;
    }

    // acc devices d[2], e[*]: the words of each. Empty: it is something else, or only one.
    std::vector<tokens> devices() {
        auto const first = d_.words.empty() ? "" : source_.spelling(d_.words.front());
        if (first != "devices" && first != "device") return {};
        auto all = split({std::next(d_.words.begin()), d_.words.end()});
        if (all.size() == 1) return {};
        for (auto& one : all) one.insert(one.begin(), d_.words.front());
        return all;
    }

private:
    [[nodiscard]] tokens::iterator at(std::size_t k) const { return d_.words.begin() + static_cast<std::ptrdiff_t>(k); }

    // The two colons outside of brackets.
    [[nodiscard]] std::size_t colons_at() const {
        int depth = 0;
        for (std::size_t i = 0; i < d_.words.size(); ++i) {
            auto const& t = d_.words[i];
            depth += opens(t) - closes(t);
            if (depth == 0 && (t.is(clang::tok::coloncolon) ||
                               (t.is(clang::tok::colon) && i + 1 < d_.words.size() && d_.words[i + 1].is(clang::tok::colon))))
                return i;
        }
        return d_.words.size();
    }
    [[nodiscard]] std::vector<tokens> split(tokens const& list) {
        std::vector<tokens> all(1);
        int depth = 0;
        for (auto const& t : list) {
            depth += opens(t) - closes(t);
            if (depth == 0 && t.is(clang::tok::comma))
                all.emplace_back(), comma_ = t;
            else
                all.back().push_back(t);
        }
        return all;
    }
    static int opens(clang::Token const& t) { return t.isOneOf(clang::tok::l_paren, clang::tok::l_square) ? 1 : 0; }
    static int closes(clang::Token const& t) { return t.isOneOf(clang::tok::r_paren, clang::tok::r_square) ? 1 : 0; }

    source& source_;
    directive& d_;
    std::map<int, tokens> attributes_;
    std::vector<tokens> names_;
    tokens between_;
    clang::Token comma_{};
};

} // namespace

void separate(source& s, directive& d) {
    combination all{s, d};
    if (d.part || (!d.openacc && !all.read())) return;
    auto const words = d.openacc ? all.devices() : all.words();
    if (d.wrong || words.empty()) return;
    d.part = true;
    for (std::size_t k = 1; k < words.size(); ++k) {
        auto& next = *s.directives.emplace_back(std::make_unique<directive>());
        next.number = static_cast<unsigned>(s.directives.size() - 1);
        next.hash = d.hash;
        next.end = d.end;
        next.body_of = d.body_of;
        next.words = words[k];
        next.openacc = d.openacc;
        next.part = next.rides = true;
        d.parts.push_back(&next);
    }
    d.words = words.front();
}

} // namespace sode::compiler
