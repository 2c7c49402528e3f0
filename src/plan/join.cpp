// SPDX-License-Identifier: Apache-2.0
#include "plan/join.hpp"

#include "base/contract.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sode::internal {
namespace {

/// How many messages go to each rank, and come from it.
using message_counts = std::map<std::pair<int, operation>, std::uint32_t>;

class joining {
public:
    joining(plan_builder& whole, plan_part const& part, std::span<std::int64_t const> array_bytes, message_counts before)
        : whole_(whole), part_(part), steps_(part.steps), messages_(std::move(before)) {
        SODE_EXPECT(steps_.choices.empty() && steps_.constants.empty() && steps_.own_pairs == 0 && steps_.own_scratch == 0,
                    "parts of a plan have lines and stages only");
        for (auto b : steps_.buffers) {
            if (b.role == buffer_role::array)
                b.bytes = array_bytes[b.ordinal];
            else
                b.offset += before_at(b.host).stage;
            buffers_.push_back(whole_.add(b));
        }
        for (std::size_t i = 0; i < steps_.counters.size(); ++i) counters_.push_back(i == 0 ? 0 : moved(steps_.counters[i]));
        for (std::size_t i = 0; i < steps_.operands.size(); ++i) operands_.push_back(i == 0 ? 0 : moved(steps_.operands[i]));
        for (auto const& p : steps_.programs) programs_.push_back(whole_.add(p));
        auto& all = whole_.target();
        auto const here = before_at(steps_.rank);
        all.own_lines = std::max(all.own_lines, here.lines + steps_.own_lines);
        all.own_stage = std::max(all.own_stage, here.stage + steps_.own_stage);
    }

    void add(stream const& s) {
        auto const number = whole_.add_stream(s.peer, s.runs_on);
        whole_.wish_nic(number, s.nic);
        for (auto const* d = &steps_.descriptors[s.first]; d->op != operation::end; ++d) add(number, *d);
    }

private:
    [[nodiscard]] own_part before_at(int host) const {
        auto const at = part_.before.find(host);
        return at == part_.before.end() ? own_part{} : at->second;
    }
    [[nodiscard]] std::int64_t behind(std::uint32_t buffer) const noexcept {
        return steps_.buffers[buffer].role == buffer_role::array ? part_.behind : 0;
    }
    [[nodiscard]] std::uint32_t moved(counter c) {
        c.index += static_cast<std::uint32_t>(before_at(c.host).lines);
        return whole_.add(c);
    }
    [[nodiscard]] std::uint32_t moved(operand const& o) {
        return whole_.add(operand{buffers_[o.buffer], o.offset + behind(o.buffer)});
    }
    [[nodiscard]] std::uint32_t strides(std::uint32_t number) {
        if (number == 0) return 0;
        auto s = steps_.strides[number];
        s.outer = strides(s.outer);
        return whole_.add(s);
    }

    void add(std::uint32_t number, descriptor const& from) {
        auto const around = strides(from.strides);
        auto& d = whole_.emit(number, from.op);
        d = from;
        d.strides = around;
        d.trigger = counters_[from.trigger];
        d.signal = counters_[from.signal];
        if (is_message(from.op)) {
            auto const count = messages_.find({from.peer, from.op});
            d.argument += count == messages_.end() ? 0 : count->second;
        }
        if (!is_message(from.op) && !moves_data(from.op)) return;
        d.program = programs_[from.program];
        d.src = buffers_[from.src];
        d.dst = buffers_[from.dst];
        d.src_offset += behind(from.src);
        d.dst_offset += behind(from.dst);
        d.operand = operands_[from.operand];
    }

    plan_builder& whole_;
    plan_part const& part_;
    plan const& steps_;
    message_counts messages_;
    std::vector<std::uint32_t> buffers_, counters_{}, operands_{}, programs_{};
};

message_counts messages_of(plan const& steps) {
    message_counts here;
    for (auto const& d : steps.descriptors)
        if (is_message(d.op)) {
            auto& most = here[{d.peer, d.op}];
            most = std::max(most, d.argument + 1);
        }
    return here;
}

} // namespace

void join(plan_builder& whole, std::span<plan_part const> parts, std::span<std::int64_t const> array_bytes) {
    std::vector<joining> all;
    all.reserve(parts.size());
    message_counts before;
    std::size_t steps = 0;
    for (auto const& part : parts) steps += part.steps.descriptors.size();
    whole.reserve(steps);
    for (auto const& part : parts) {
        auto const here = messages_of(part.steps);
        all.emplace_back(whole, part, array_bytes, here.empty() ? here : before); // most ranks lead few shares
        for (auto const& [with, most] : here) before[with] += most;
    }
    // First what others wait for, of all of them.
    for (bool const first : {true, false})
        for (std::size_t i = 0; i < parts.size(); ++i) {
            auto const& streams = parts[i].steps.streams;
            for (std::size_t s = first ? 0 : 1; s < (first ? std::min<std::size_t>(streams.size(), 1) : streams.size()); ++s)
                all[i].add(streams[s]);
        }
}

} // namespace sode::internal
