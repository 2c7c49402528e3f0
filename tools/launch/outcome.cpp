// SPDX-License-Identifier: Apache-2.0
#include "launch/outcome.hpp"

#include "base/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace sode::internal::tools {

namespace {

// "[3] text" is rank 3's; other lines are the launcher's, of which the first tells how the job ended.
std::map<int, std::vector<std::string>> by_rank(std::string_view text, std::string& launcher) {
    std::map<int, std::vector<std::string>> lines;
    while (!text.empty()) {
        auto const line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        int rank = -1;
        auto const [end, failure] =
            std::from_chars(line.data() + std::min<std::size_t>(1, line.size()), line.data() + line.size(), rank);
        auto const rest = std::string_view{end, static_cast<std::size_t>(line.data() + line.size() - end)};
        if (line.starts_with('[') && failure == std::errc{} && rest.starts_with("] "))
            lines[rank].emplace_back(rest.substr(2));
        else if (launcher.empty())
            launcher = quoted(line);
    }
    return lines;
}

std::string line_or_end(std::vector<std::string> const& lines, std::size_t i) {
    return i < lines.size() ? fmt::format("\"{}\"", lines[i]) : "nothing";
}

void compare(std::map<int, std::vector<std::string>> const& first, std::map<int, std::vector<std::string>> const& other,
             std::string_view stream, std::vector<std::string>& found) {
    static std::vector<std::string> const none;
    auto const of = [](auto const& all, int rank) -> auto const& {
        auto const at = all.find(rank);
        return at == all.end() ? none : at->second;
    };
    std::set<int> ranks;
    for (auto const* const all : {&first, &other})
        for (auto const& [rank, lines] : *all) ranks.insert(rank);
    for (int const rank : ranks) {
        auto const& a = of(first, rank);
        auto const& b = of(other, rank);
        auto const at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
        if (at < a.size() || at < b.size())
            found.push_back(fmt::format("line {} that rank {} wrote to its standard {} is {} and was {}", at + 1, rank, stream,
                                        line_or_end(b, at), line_or_end(a, at)));
    }
}

} // namespace

outcome outcome_of(int status, std::string_view out, std::string_view err) {
    outcome o{.status = status, .end = {}, .out = {}, .err = {}};
    o.out = by_rank(out, o.end);
    o.err = by_rank(err, o.end);
    if (o.end.empty()) o.end = "all ranks ended successfully";
    return o;
}

std::vector<std::string> differences(outcome const& first, outcome const& other) {
    std::vector<std::string> found;
    if (first.status != other.status || first.end != other.end)
        found.push_back(fmt::format("this run ended with status {} ({}), and the first run with {} ({})", other.status, other.end,
                                    first.status, first.end));
    compare(first.out, other.out, "output", found);
    compare(first.err, other.err, "error", found);
    return found;
}

} // namespace sode::internal::tools
