// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/lowering.hpp"

#include "plan/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace sode::internal {
namespace {

// Of many iterations the first two and the last two: what is linear and holds between those holds between all.
std::uint32_t next_to_look_at(std::uint32_t iteration, std::uint32_t count) noexcept {
    return iteration == 1 && count > 4 ? count - 2 : iteration + 1;
}

// Calls f(index, threshold) for what the stream runs, in its order.
template <class F> void walk(schedule const& p, std::size_t first, F f) {
    std::array<loop_turn, most_loops> turns{};
    std::size_t depth = 0;
    for (auto i = first; p.descriptors[i].op != operation::end; ++i) {
        auto const& d = p.descriptors[i];
        f(static_cast<std::uint32_t>(i), d.threshold + shift_of(p.strides.data(), d.strides, turns.data(), depth).threshold);
        if (d.op == operation::loop && depth < most_loops) turns[depth++] = {static_cast<std::uint32_t>(i), 0};
        if (d.op != operation::end_loop || depth == 0) continue;
        auto& turn = turns[depth - 1];
        auto const count = p.descriptors[turn.loop].argument;
        turn.iteration = next_to_look_at(turn.iteration, count);
        if (turn.iteration < count)
            i = turn.loop;
        else
            --depth;
    }
}

class stream_lowering {
public:
    stream_lowering(schedule const& p, std::size_t first, std::function<bool(descriptor const&)> const& carried)
        : plan_(p), first_(first), carried_(carried) {}

    lowered_stream run() {
        for (auto i = first_; plan_.descriptors[i].op != operation::end; ++i) look_at_operation(static_cast<std::uint32_t>(i));
        if (result_.by_caller()) return result_;
        walk(plan_, first_, [&](std::uint32_t i, std::int64_t threshold) { look_at_trigger(i, threshold); });
        check_steps();
        result_.branches.assign(breaks_.begin(), breaks_.end());
        return result_;
    }

private:
    void look_at_operation(std::uint32_t i) {
        auto const& d = plan_.descriptors[i];
        if (is_message(d.op) || (is_put(d.op) && carried_(d)))
            breaks(lowering_rule::no_messages, i, fmt::format("descriptor {} is a message", i));
        else if (d.op == operation::call || (d.op == operation::reduce && is_users(d.argument)))
            breaks(lowering_rule::no_functions, i, fmt::format("descriptor {} calls a function of the program", i));
    }
    void look_at_trigger(std::uint32_t i, std::int64_t threshold) {
        auto const& d = plan_.descriptors[i];
        if (d.trigger == 0) {
            ++released_;
            return;
        }
        bool const first = counter_ == 0;
        if (!first && d.trigger != counter_) {
            breaks(lowering_rule::one_counter, i,
                   fmt::format("descriptor {} waits for counter {}, those before it for counter {}", i, d.trigger, counter_));
            breaks_.insert(i);
        } else if (!first && threshold < threshold_) {
            breaks(
                lowering_rule::rising_thresholds, i,
                fmt::format("descriptor {} waits for {} of counter {}, one before it for {}", i, threshold, counter_, threshold_));
            breaks_.insert(i);
        }
        if (first || d.trigger != counter_ || threshold != threshold_) {
            note_group();
            first_of_group_ = i;
            rise_ = first || d.trigger != counter_ ? threshold + plan_.counters[d.trigger].step : threshold - threshold_;
        }
        counter_ = d.trigger;
        threshold_ = threshold;
        ++released_;
    }
    // What an arrival lets go has been seen in full. Arrivals of several ranks, who come in any order, are alike only if each adds
    // one and lets go of as many descriptors.
    void note_group() {
        if (counter_ != 0 && is_sum(counter_) && !unequal_) {
            if (rise_ != 1 || (steps_ != 0 && steps_ != released_)) unequal_ = first_of_group_;
            steps_ = released_;
        }
        released_ = 0;
    }
    void check_steps() {
        note_group();
        if (!unequal_) return;
        // No arrival can be told from another: each of these waits for its own number of them.
        for (auto i = first_; plan_.descriptors[i].op != operation::end; ++i)
            if (auto const c = plan_.descriptors[i].trigger; c != 0 && is_sum(c)) breaks_.insert(static_cast<std::uint32_t>(i));
        breaks(lowering_rule::equal_steps, *unequal_,
               fmt::format("several ranks add to the counter of descriptor {}, and their arrivals do not release the same number "
                           "of descriptors",
                           *unequal_));
    }
    [[nodiscard]] bool is_sum(std::uint32_t counter) const { return plan_.counters[counter].kind == counter_kind::sum; }
    void breaks(lowering_rule rule, std::uint32_t at, std::string why) {
        if (result_.broken) return;
        result_.broken = rule;
        result_.at = at;
        result_.why = std::move(why);
    }

    schedule const& plan_;
    std::size_t first_;
    std::function<bool(descriptor const&)> const& carried_;
    lowered_stream result_;
    std::set<std::uint32_t> breaks_; // before which there is a branch packet
    std::uint32_t counter_ = 0;      // that is waited for, and
    std::int64_t threshold_ = 0;
    std::int64_t rise_ = 0;      // what arrives for the group at hand
    std::uint64_t released_ = 0; // descriptors in it
    std::uint64_t steps_ = 0;    // of the one before
    std::uint32_t first_of_group_ = 0;
    std::optional<std::uint32_t> unequal_; // where steps begin to differ
};

} // namespace

std::string_view to_string(lowering_rule rule) {
    switch (rule) {
    case lowering_rule::one_counter: return "one counter";
    case lowering_rule::rising_thresholds: return "rising thresholds";
    case lowering_rule::equal_steps: return "equal steps";
    case lowering_rule::no_messages: return "no messages";
    case lowering_rule::no_functions: return "no functions";
    }
    return "unknown rule";
}

std::vector<lowered_stream> lower(schedule const& p, std::function<bool(descriptor const&)> const& carried) {
    std::vector<lowered_stream> all;
    all.reserve(p.streams.size());
    for (auto const& s : p.streams) all.push_back(stream_lowering{p, s.first, carried}.run());
    return all;
}

std::string refused_queue(schedule const& p, std::vector<lowered_stream> const& streams) {
    for (std::size_t s = 0; s < streams.size(); ++s)
        if (p.streams[s].runs_on.kind == executor_kind::queue && streams[s].broken)
            return fmt::format("its stream {} is for {} and breaks the rule \"{}\": {}", s, describe(p.streams[s].runs_on),
                               to_string(*streams[s].broken), streams[s].why);
    return {};
}

} // namespace sode::internal
