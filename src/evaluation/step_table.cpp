// SPDX-License-Identifier: Apache-2.0
#include "evaluation/step_table.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace sode::internal {

step_table::line step_table::line_of(plan const& p, std::uint32_t counter, std::int32_t value) const {
    if (counter == 0) return {};
    auto const& c = p.counters[counter];
    return {.first = c.index,
            .step = static_cast<std::int32_t>(c.step),
            .value = value,
            .slots = static_cast<std::uint16_t>(c.instances == parity::epoch ? c.slots : 1)};
}

namespace {

struct places {
    int theirs = 0;
    bool shown = false;
    std::int64_t among = 0;
};

/// Where the bytes lie that the steps of a plan touch.
class memory_of_plan {
public:
    memory_of_plan(plan const& p, core_map const& cores) : plan_(p), cores_(cores) {
        for (auto const& d : p.descriptors)
            if (d.op == operation::receive || d.op == operation::landing) received_.emplace_back(d.src, d.src_offset);
        std::ranges::sort(received_);
        for (auto const& b : p.buffers) {
            if (b.role == buffer_role::array && b.host == p.rank) array_bytes_ = std::max(array_bytes_, std::int64_t{b.bytes});
            reads_stages_ = reads_stages_ || (b.role == buffer_role::stage && b.host != p.rank);
        }
    }

    [[nodiscard]] places of(descriptor const& d) const {
        if (!moves_data(d.op) || plan_.buffers.empty()) return {};
        // The lines of a stage come back from the caches of those who read them last. What is combined there may be for nobody
        // else.
        auto const role = plan_.buffers[d.dst].role;
        bool const stage = (role == buffer_role::stage || role == buffer_role::payload) && !cores_.one_each();
        int theirs = comes({d.src, d.src_offset}) ? 1 : 0;
        if (d.operand != 0 && comes(plan_.operands[d.operand])) ++theirs;
        return {.theirs = theirs,
                .shown = away(d.dst) || (stage && (d.op != operation::reduce || reads_stages_)),
                .among = array_bytes_ * cores_.beside(plan_.rank)};
    }

private:
    using place = std::pair<std::uint32_t, std::int64_t>; // buffer and offset

    [[nodiscard]] bool away(std::uint32_t buffer) const { return !cores_.together(plan_.buffers[buffer].host, plan_.rank); }
    // Another core has written it, or a message brings it.
    [[nodiscard]] bool comes(operand const& o) const {
        return away(o.buffer) || std::ranges::binary_search(received_, place{o.buffer, o.offset});
    }

    plan const& plan_;
    core_map const& cores_;
    std::vector<place> received_; // sorted
    std::int64_t array_bytes_ = 0;
    bool reads_stages_ = false; // of others, who then read its own
};

} // namespace

void step_table::add(plan const& p) {
    auto const first_step = static_cast<std::uint32_t>(steps_.size()), first_stride = static_cast<std::uint32_t>(strides_.size());
    for (auto const& s : p.streams)
        if (s.choice == 0 || s.way == 0) streams_.push_back({p.rank, first_step + s.first, s.nic});
    streams_of_.push_back(static_cast<std::uint32_t>(streams_.size()));
    lines_of_.push_back(lines_of_.back() + static_cast<std::size_t>(p.own_lines));
    // Entry 0 says that there is none, here as there.
    for (std::size_t i = 1; i < p.strides.size(); ++i) {
        strides_.push_back(p.strides[i]);
        if (auto& outer = strides_.back().outer; outer != 0) outer += first_stride - 1;
    }
    memory_of_plan const memory{p, cores_};
    for (auto const& d : p.descriptors) {
        bool const moves = moves_data(d.op) || is_message(d.op) || is_put(d.op);
        auto const& told = p.counters[d.signal];
        auto const at = memory.of(d);
        steps_.push_back({.op = d.op,
                          .sum = told.kind == counter_kind::sum,
                          .theirs = static_cast<std::uint8_t>(at.theirs),
                          .shown = at.shown,
                          .peer = d.peer,
                          .argument = d.argument,
                          .strides = d.strides == 0 ? 0 : d.strides + first_stride - 1,
                          .bytes = moves && !p.programs.empty() ? static_cast<std::int64_t>(p.programs[d.program].bytes) : 0,
                          .among = at.among,
                          .trigger = line_of(p, d.trigger, d.threshold),
                          .signal = line_of(p, d.signal, d.value)});
        hosts_.emplace_back(p.counters[d.trigger].host, told.host);
    }
}

void step_table::close() {
    if (steps_.size() >= std::numeric_limits<std::uint32_t>::max() || lines() >= no_line)
        throw error{error_kind::usage, "the plans are too large to evaluate",
                    "all ranks together have more than 4,294,967,294 steps or counters", "use fewer machines"};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        auto& s = steps_[i];
        if (s.trigger.first != no_line)
            s.trigger.first += static_cast<std::uint32_t>(lines_of_[static_cast<std::size_t>(hosts_[i].first)]);
        if (s.signal.first != no_line)
            s.signal.first += static_cast<std::uint32_t>(lines_of_[static_cast<std::size_t>(hosts_[i].second)]);
    }
    hosts_ = {};
}

} // namespace sode::internal
