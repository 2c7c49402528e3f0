// SPDX-License-Identifier: Apache-2.0
#include "plan/describe.hpp"
#include "plan/dump.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

using row = std::vector<std::string>;

std::string microseconds(double us) {
    return us < 10 ? fmt::format("{:.2f}", us) : us < 100 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string remarks(edge_note const& n) {
    std::string all;
    auto const add = [&](std::string_view one) { all += fmt::format("{}{}", all.empty() ? "" : ", ", one); };
    if (n.segments > 0) add(fmt::format("{} segments", n.segments));
    if (n.forced) add("forced");
    if (!n.shared) add("attached");
    return all;
}

row row_of(edge_note const& n) {
    bool const rival = !n.runner_up.empty();
    return {direction_of(n),
            n.outside    ? "-"
            : n.peer < 0 ? "self"
                         : fmt::format("{}", n.peer),
            fmt::format("{}", n.field),
            std::string{to_string(n.kind)},
            fmt::format("{} x {} B", n.rows, n.row_bytes),
            std::string{n.chosen},
            microseconds(n.expected.microseconds()),
            rival ? std::string{n.runner_up} : "-",
            rival ? microseconds(n.instead.microseconds()) : "-",
            remarks(n)};
}

} // namespace

std::string explain(plan const& p, std::string_view memory) {
    auto const sides = std::count_if(p.notes.begin(), p.notes.end(), [](edge_note const& n) { return n.outside; });
    auto const edges = static_cast<std::ptrdiff_t>(p.notes.size()) - sides;
    auto text = fmt::format("{}: rank {} of {}, {} {}", p.name, p.rank, p.ranks, edges, edges == 1 ? "edge" : "edges");
    if (sides > 0) text += fmt::format(", {} {} of the domain", sides, sides == 1 ? "side" : "sides");
    text += fmt::format("{}{}\n", memory.empty() ? "" : ", memory: ", memory);
    if (p.notes.empty()) return text;
    std::vector<row> table{{"direction", "peer", "field", "pattern", "rows x bytes", "chosen", "us", "runner-up", "us", ""}};
    for (auto const& n : p.notes) table.push_back(row_of(n));

    std::vector<std::size_t> width(table.front().size());
    for (auto const& r : table)
        for (std::size_t c = 0; c < r.size(); ++c) width[c] = std::max(width[c], r[c].size());
    auto const is_number = [](std::size_t c) { return c == 1 || c == 2 || c == 4 || c == 6 || c == 8; };
    for (auto const& r : table) {
        std::string line;
        for (std::size_t c = 0; c < r.size(); ++c)
            line += is_number(c) ? fmt::format("  {:>{}}", r[c], width[c]) : fmt::format("  {:<{}}", r[c], width[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace sode::internal
