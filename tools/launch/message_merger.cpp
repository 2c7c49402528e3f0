// SPDX-License-Identifier: Apache-2.0
#include "launch/message_merger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sode::internal::tools {

namespace {

constexpr int launcher = -1;
constexpr std::int64_t settled_ns = 5'000'000;     // a message may come in two pieces
constexpr std::size_t longest_partial = 64 * 1024; // a longer line is none of ours
constexpr std::size_t most_a_rank = 64;            // messages; who says more is not held up
constexpr std::string_view mark{"sode:"}, indent{"  "};

// Is it, or could it become, a text that begins so?
bool may_begin(std::string_view text, std::string_view with) {
    return text.substr(0, with.size()) == with.substr(0, text.size());
}

struct parts {
    std::string_view head; // "sode: error: "
    std::string_view said; // without the rank that said it
};

parts parts_of(std::string_view text, int rank) {
    std::size_t head = std::min(text.size(), mark.size() + 1);
    for (std::string_view const kind : {"sode: error: ", "sode: warning: "})
        if (text.starts_with(kind)) head = kind.size();
    auto said = text.substr(head);
    if (auto const tag = fmt::format("rank {}: ", rank); said.starts_with(tag)) said.remove_prefix(tag.size());
    return {text.substr(0, head), said};
}

std::string list_of(std::vector<int> ranks) {
    std::sort(ranks.begin(), ranks.end());
    std::string list;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
        list += fmt::format("{}{}", list.empty() ? "" : ",", ranks[i]);
        if (end - i > 1) list += fmt::format("{}{}", end - i > 2 ? "-" : ",", ranks[end - 1]);
        i = end;
    }
    return list;
}

} // namespace

message_merger::message_merger(int ranks) : speakers_(static_cast<std::size_t>(ranks)) {}

void message_merger::add(int rank, std::string_view text, std::int64_t now_ns) {
    speaker& s = of(rank);
    while (!text.empty()) {
        auto const newline = text.find('\n');
        bool const whole = newline != std::string_view::npos;
        auto const piece = text.substr(0, whole ? newline + 1 : text.size());
        text.remove_prefix(piece.size());
        if (s.passing) {
            out_.append(piece);
            s.passing = !whole;
            continue;
        }
        if (s.line.empty()) s.since_ns = now_ns;
        s.line.append(piece);
        if (whole)
            complete_line(rank, now_ns);
        else if ((!may_begin(s.line, mark) && !(s.open && may_begin(s.line, indent))) || s.line.size() > longest_partial)
            release_partial(rank);
    }
    if (held_.size() > most_a_rank * speakers_.size()) flush();
}

void message_merger::complete_line(int rank, std::int64_t now_ns) {
    speaker& s = of(rank);
    std::string_view const line{s.line.data(), s.line.size() - 1};
    if (line.starts_with(mark)) {
        held_.push_back({rank, std::string{line}, now_ns, now_ns});
        s.open = true;
    } else if (s.open && line.starts_with(indent)) {
        auto const mine = std::find_if(held_.rbegin(), held_.rend(), [rank](message const& m) { return m.rank == rank; });
        if (mine != held_.rend()) {
            mine->text.append("\n").append(line);
            mine->last_ns = now_ns;
        } else {
            out_.append(s.line); // its first line was told already
        }
    } else {
        s.open = false;
        release_all_of(rank);
        out_.append(s.line);
    }
    s.line.clear();
}

void message_merger::release_partial(int rank) {
    speaker& s = of(rank);
    release_all_of(rank);
    out_.append(s.line);
    s.line.clear();
    s.open = false;
    s.passing = true;
}

void message_merger::close(int rank, std::int64_t now_ns) {
    speaker& s = of(rank);
    if (!s.line.empty() && s.line.starts_with(mark)) add(rank, "\n", now_ns); // else it could not be merged
    if (!s.line.empty()) release_partial(rank);
    s.gone = true;
}

void message_merger::hurry(int rank) {
    speaker const& s = of(rank);
    if (s.line.empty())
        release_all_of(rank);
    else
        release_partial(rank);
}

void message_merger::announce(std::string_view message, std::int64_t now_ns) {
    held_.push_back({launcher, std::string{message}, now_ns, now_ns});
}

void message_merger::flush() {
    while (!held_.empty()) release(0);
    for (std::size_t r = 0; r < speakers_.size(); ++r)
        if (!speakers_[r].line.empty()) release_partial(static_cast<int>(r));
}

std::string message_merger::take(std::int64_t now_ns) {
    while (!held_.empty() && due_of_first() <= now_ns) release(0);
    for (std::size_t r = 0; r < speakers_.size(); ++r)
        if (auto const& s = speakers_[r]; !s.line.empty() && s.since_ns + hold_ns <= now_ns) release_partial(static_cast<int>(r));
    if (!out_.empty()) last_ = out_.back();
    return std::exchange(out_, {});
}

std::int64_t message_merger::due_ns() const {
    if (!out_.empty()) return 0;
    std::int64_t due = held_.empty() ? INT64_MAX : due_of_first();
    for (auto const& s : speakers_)
        if (!s.line.empty()) due = std::min(due, s.since_ns + hold_ns);
    return due;
}

std::int64_t message_merger::due_of_first() const {
    message const& first = held_.front();
    if (first.rank == launcher) return first.first_ns;
    std::int64_t const latest = first.first_ns + hold_ns;
    std::vector<bool> said(speakers_.size());
    std::int64_t settled = first.last_ns;
    for (std::size_t const i : alike(0)) {
        said[static_cast<std::size_t>(held_[i].rank)] = true;
        settled = std::max(settled, held_[i].last_ns);
    }
    for (std::size_t r = 0; r < speakers_.size(); ++r)
        if (!speakers_[r].gone && !said[r]) return latest; // it may yet say the same
    return std::min(latest, settled + settled_ns);
}

// The messages that say what held_[first] says: of each rank its earliest, lest it overtakes another of that rank.
std::vector<std::size_t> message_merger::alike(std::size_t first) const {
    auto const wanted = parts_of(held_[first].text, held_[first].rank);
    std::vector<bool> seen(speakers_.size());
    for (std::size_t i = 0; i < first; ++i)
        if (held_[i].rank != launcher) seen[static_cast<std::size_t>(held_[i].rank)] = true;
    std::vector<std::size_t> found;
    for (std::size_t i = first; i < held_.size(); ++i) {
        message const& m = held_[i];
        if (m.rank == launcher || seen[static_cast<std::size_t>(m.rank)]) continue;
        seen[static_cast<std::size_t>(m.rank)] = true;
        auto const its = parts_of(m.text, m.rank);
        if (its.head == wanted.head && its.said == wanted.said) found.push_back(i);
    }
    return found;
}

void message_merger::release(std::size_t first) {
    message const told = held_[first];
    if ((out_.empty() ? last_ : out_.back()) != '\n') out_.push_back('\n'); // half a line of another rank
    if (told.rank == launcher) {
        out_.append(told.text).push_back('\n');
        held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(first));
        return;
    }
    auto same = alike(first);
    if (same.size() < 2) {
        same.assign(1, first);
        out_.append(told.text);
    } else {
        std::vector<int> ranks;
        for (std::size_t const i : same) ranks.push_back(held_[i].rank);
        auto const parts = parts_of(told.text, told.rank);
        out_.append(parts.head).append("ranks ").append(list_of(std::move(ranks))).append(": ").append(parts.said);
    }
    out_.push_back('\n');
    for (auto i = same.rbegin(); i != same.rend(); ++i) held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(*i));
}

void message_merger::release_all_of(int rank) {
    for (std::size_t i = 0; i < held_.size();)
        if (held_[i].rank == rank)
            release(i);
        else
            ++i;
}

} // namespace sode::internal::tools
