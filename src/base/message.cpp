// SPDX-License-Identifier: Apache-2.0
#include "base/message.hpp"

#include <algorithm>
#include <atomic>

namespace sode::internal {

namespace {

constexpr int nobody = -1;
std::atomic<int> rank_of_process{nobody};
thread_local int rank_of_thread = nobody;

constexpr std::string_view name_of(severity how_bad) {
    return how_bad == severity::error ? "sode: error: " : "sode: warning: ";
}

std::string_view without_rank(std::string_view text) noexcept {
    constexpr std::string_view tag{"rank "};
    if (!text.starts_with(tag)) return text;
    auto const end = text.find_first_not_of("0123456789", tag.size());
    if (end == std::string_view::npos || end == tag.size() || !text.substr(end).starts_with(": ")) return text;
    return text.substr(end + 2);
}

// A reason stands between parentheses, in one line.
std::string in_one_line(std::string_view text) {
    std::string line;
    for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        line.append(text.substr(0, end)).append("; ");
        text.remove_prefix(std::min(text.size(), std::max(end + 1, text.find_first_not_of("\n ", end))));
    }
    return line.append(text);
}

} // namespace

std::string_view quoted(std::string_view text) noexcept {
    for (auto const how_bad : {severity::error, severity::warning})
        if (auto const name = name_of(how_bad); text.starts_with(name)) return without_rank(text.substr(name.size()));
    return text;
}

std::string message_text(severity how_bad, std::string_view problem, std::string_view why, std::string_view suggestion) {
    std::string text{name_of(how_bad)};
    int const rank = rank_of_thread != nobody ? rank_of_thread : rank_of_process.load(std::memory_order_relaxed);
    if (rank != nobody) text.append("rank ").append(std::to_string(rank)).append(": ");
    text.append(quoted(problem));
    if (!why.empty()) text.append(" (").append(in_one_line(quoted(why))).append(")");
    if (!suggestion.empty()) text.append("\n  ").append(suggestion);
    return text;
}

void speak_as(speaker who, int rank, int ranks) noexcept {
    int const named = ranks > 1 ? rank : nobody;
    if (who == speaker::thread)
        rank_of_thread = named;
    else
        rank_of_process.store(named, std::memory_order_relaxed);
}

} // namespace sode::internal
