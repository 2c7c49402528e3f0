// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "evaluation/step_table.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sode::internal {

/// What an engine that runs on network interfaces makes of plans. A stream is a queue of an interface. What arrives moves one queue
/// on, the first of those that send what has arrived; each further one is moved by a packet that the interface sends to its own
/// machine: a branch (paper P3, section 4.2).
class branches {
public:
    branches() = default;
    explicit branches(step_table const& plans) : first_(plans.lines(), nobody), more_(plans.lines()), queued_(ranks(plans)) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> seen; // line, stream
        auto const streams = plans.streams();
        for (std::uint32_t a = 0; a < streams.size(); ++a) {
            std::vector<std::int64_t> times{1};
            seen.clear();
            for (auto i = streams[a].first;; ++i) {
                auto const& s = plans.steps()[i];
                if (s.op == operation::end) break;
                if (s.op == operation::loop) times.push_back(times.back() * s.argument);
                if (s.op == operation::end_loop) times.pop_back();
                if (s.op != operation::send && s.op != operation::put) continue;
                queued_[static_cast<std::size_t>(streams[a].rank)] += times.back();
                auto const line = s.trigger.first;
                if (line == step_table::no_line || std::ranges::count(seen, std::pair{line, a}) != 0) continue;
                seen.emplace_back(line, a);
                if (first_[line] == nobody) {
                    first_[line] = a;
                    continue;
                }
                ++more_[line];
                queued_[static_cast<std::size_t>(streams[a].rank)] += times.back();
            }
        }
    }

    static constexpr std::uint32_t nobody = ~0U;
    /// The stream that goes on when something arrives there.
    [[nodiscard]] std::uint32_t first(std::uint32_t line) const noexcept { return first_.empty() ? nobody : first_[line]; }
    /// How many others send it, too.
    [[nodiscard]] std::uint32_t more(std::uint32_t line) const noexcept { return more_.empty() ? 0 : more_[line]; }
    /// Descriptors that `start` hands to the queues of a rank: messages and branches, all iterations of loops.
    [[nodiscard]] std::int64_t queued(std::size_t rank) const noexcept { return queued_.empty() ? 0 : queued_[rank]; }

private:
    static std::size_t ranks(step_table const& plans) { return static_cast<std::size_t>(plans.ranks()); }
    std::vector<std::uint32_t> first_;
    std::vector<std::uint32_t> more_;
    std::vector<std::int64_t> queued_;
};

} // namespace sode::internal
