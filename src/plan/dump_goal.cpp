// SPDX-License-Identifier: Apache-2.0
#include "plan/dump_formats.hpp"

#include "plan/loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

// GOAL (Hoefler, Siebert, Lumsdaine, ICPP 2009), as LogGOPSim reads it: what each rank sends, receives and computes in one epoch,
// and which of these must be over, or must have begun, before another one may begin. Loops are unrolled. It knows no shared memory:
// a counter that another rank waits for becomes a message of its 8 bytes, under a tag of its own. What computes takes as long as it
// has bytes.
namespace sode::internal {
namespace {

constexpr int flag_bytes = 8;

// A counter of the job: host, index.
using step_at = std::pair<std::int32_t, std::uint32_t>;

struct event {
    std::size_t rank;    // which plan
    std::size_t label;   // what gives it
    std::int64_t amount; // the value, or what is added
};

struct step {
    descriptor const* d = nullptr;
    loop_shift shift{};
    std::size_t before = 0; // the label before it in its stream; 0: it is the first
};

bool issues_only(operation op) noexcept {
    return is_message(op) || is_put(op);
}

class goal_writer {
public:
    explicit goal_writer(std::span<plan const> plans) : plans_(plans), lines_(plans.size()) {
        for (std::size_t r = 0; r < plans.size(); ++r) unroll(r);
    }

    std::string text() {
        for (std::size_t r = 0; r < plans_.size(); ++r)
            for (std::size_t i = 0; i < steps_[r].size(); ++i) require(r, i + 1);
        auto all = fmt::format("num_ranks {}\n", plans_.empty() ? 0 : plans_.front().ranks);
        for (std::size_t r = 0; r < plans_.size(); ++r) {
            all += fmt::format("\nrank {} {{\n", plans_[r].rank);
            for (std::size_t i = 0; i < steps_[r].size(); ++i) all += fmt::format("l{}: {}\n", i + 1, what(r, *steps_[r][i].d));
            all += lines_[r] + "}\n";
        }
        return all;
    }

private:
    // Labels are numbered from 1, along the streams.
    void unroll(std::size_t r) {
        auto const& p = plans_[r];
        auto& steps = steps_.emplace_back();
        labels_.push_back(0);
        for (auto const& s : p.streams) {
            if (s.choice != 0 && s.way != 0) continue;
            std::vector<loop_turn> turns;
            std::size_t before = 0;
            for (std::size_t i = s.first; p.descriptors[i].op != operation::end; ++i) {
                auto const& d = p.descriptors[i];
                if (d.op == operation::loop) {
                    turns.push_back({static_cast<std::uint32_t>(i), 0});
                } else if (d.op == operation::end_loop) {
                    if (++turns.back().iteration < p.descriptors[turns.back().loop].argument)
                        i = turns.back().loop;
                    else
                        turns.pop_back();
                } else {
                    auto const shift = shift_of(p.strides.data(), d.strides, turns.data(), turns.size());
                    steps.push_back({&d, shift, before});
                    before = steps.size();
                    // A put has been heard of when its landing has.
                    if (d.signal != 0 && d.op != operation::put) give(r, d, shift, before);
                }
            }
        }
        labels_[r] = steps.size();
    }

    // Of the first epoch: counters begin at 0, and one epoch adds their step.
    void give(std::size_t r, descriptor const& d, loop_shift const& shift, std::size_t label) {
        auto const& c = plans_[r].counters[d.signal];
        bool const sum = c.kind == counter_kind::sum;
        events_[{c.host, c.index}].push_back({r, label, d.value + shift.value + (sum ? 0 : c.step)});
    }

    [[nodiscard]] std::string what(std::size_t r, descriptor const& d) const {
        auto const& p = plans_[r];
        std::int64_t const bytes = p.programs.empty() || !(moves_data(d.op) || issues_only(d.op)) ? 0 : p.programs[d.program].bytes;
        // A put and a message may have the same number.
        auto const tag = 2 * std::uint64_t{d.argument} + (is_put(d.op) ? 1 : 0);
        if (d.op == operation::send || d.op == operation::put) return fmt::format("send {}b to {} tag {}", bytes, d.peer, tag);
        if (d.op == operation::receive || d.op == operation::landing)
            return fmt::format("recv {}b from {} tag {}", bytes, d.peer, tag);
        return fmt::format("calc {}", bytes);
    }

    void require(std::size_t r, std::size_t label) {
        auto const& s = steps_[r][label - 1];
        if (s.before != 0)
            lines_[r] +=
                fmt::format("l{} {} l{}\n", label, issues_only(steps_[r][s.before - 1].d->op) ? "irequires" : "requires", s.before);
        if (s.d->trigger == 0) return;
        auto const& c = plans_[r].counters[s.d->trigger];
        auto const wanted = s.d->threshold + s.shift.threshold + c.step;
        if (wanted <= 0) return; // it is there before the first epoch
        bool const sum = c.kind == counter_kind::sum;
        std::int64_t reached = 0;
        auto const found = events_.find({c.host, c.index});
        if (found == events_.end()) {
            lines_[r] += fmt::format("# l{} waits for rank {}, whose plan is not here\n", label, c.writer < 0 ? c.host : c.writer);
            return;
        }
        for (auto const& e : found->second) {
            if (reached >= wanted) break;
            if (!sum && e.amount < wanted) continue; // a later one tells of it, too
            reached = sum ? reached + e.amount : e.amount;
            after(r, label, e);
        }
    }

    void after(std::size_t r, std::size_t label, event const& e) {
        if (e.rank == r) {
            lines_[r] += fmt::format("l{} requires l{}\n", label, e.label);
            return;
        }
        auto const tag = first_flag_tag + tags_++;
        auto const there = ++labels_[e.rank], here = ++labels_[r];
        lines_[e.rank] +=
            fmt::format("l{}: send {}b to {} tag {}\nl{} requires l{}\n", there, flag_bytes, plans_[r].rank, tag, there, e.label);
        lines_[r] += fmt::format("l{}: recv {}b from {} tag {}\nl{} requires l{}\n", here, flag_bytes, plans_[e.rank].rank, tag,
                                 label, here);
    }

    static constexpr std::uint64_t first_flag_tag = std::uint64_t{1} << 24U; // tags of counters begin here
    std::span<plan const> plans_;
    std::vector<std::vector<step>> steps_;
    std::vector<std::size_t> labels_; // the last one of each rank
    std::map<step_at, std::vector<event>> events_;
    std::vector<std::string> lines_; // what follows the steps
    std::uint64_t tags_ = 0;
};

} // namespace

std::string dump_goal(std::span<plan const> plans) {
    return goal_writer{plans}.text();
}

} // namespace sode::internal
