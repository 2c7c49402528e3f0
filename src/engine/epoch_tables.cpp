// SPDX-License-Identifier: Apache-2.0
#include "engine/epoch_tables.hpp"

#include "engine/engine.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace sode::internal {
namespace {

// Beyond this a combination hardly comes again while its table is known.
constexpr std::uint64_t longest_period = std::uint64_t{1} << 32U;

std::uint64_t period_of(schedule const& p) {
    std::uint64_t period = 1;
    auto const see = [&](auto const& entry) {
        if (entry.instances == parity::epoch && period != 0) period = std::lcm(period, std::uint64_t{entry.slots});
        if (period > longest_period) period = 0;
    };
    std::ranges::for_each(p.buffers, see);
    std::ranges::for_each(p.counters, see);
    return period;
}

// How many combinations can occur, as far as there are tables for them.
std::size_t tables_for(std::uint64_t period, std::int32_t groups) {
    if (period == 0 || period > epoch_tables::most_tables || groups > 4) return epoch_tables::most_tables;
    return std::min<std::size_t>(epoch_tables::most_tables, period << static_cast<unsigned>(groups));
}

} // namespace

epoch_tables::epoch_tables(schedule const& p, binding const& places)
    : plan_(p), places_(places), period_(period_of(p)), mask_(std::has_single_bit(period_) ? period_ - 1 : no_mask),
      words_(words_of_halves(p.groups)), known_(tables_for(period_, p.groups)), halves_(known_.size() * words_),
      steps_(known_.size() * p.descriptors.size()), operands_(known_.size() * p.operands.size()) {
    for (auto const& c : p.counters)
        if (!std::in_range<std::int32_t>(c.step) || c.step == bound_step::adds)
            throw error{error_kind::internal, fmt::format("an epoch of {} adds {} to a counter", p.name, c.step),
                        "the number does not fit in 32 bits", "count in larger units"};
}

epoch_tables::table const& epoch_tables::look_up(std::uint64_t epoch, std::uint64_t phase, std::span<std::uint64_t const> halves) {
    std::size_t i = 0;
    while (i < made_ && (known_[i].phase != phase || !has_halves(i, halves))) ++i;
    if (i == made_) {
        if (made_ < known_.size())
            ++made_;
        else
            i = std::exchange(oldest_, (oldest_ + 1) % known_.size());
        make(i, epoch, halves);
        known_[i].phase = phase;
    }
    known_[now_].next = i;
    now_ = i;
    return known_[i].places;
}

void epoch_tables::make(std::size_t i, std::uint64_t epoch, std::span<std::uint64_t const> halves) {
    std::ranges::copy(halves.first(words_), halves_.begin() + static_cast<std::ptrdiff_t>(i * words_));
    auto const instance = [&](auto const& entry) { return entry.instances == parity::epoch ? slot_of(entry, epoch) : 0U; };
    auto const place = [&](std::uint32_t b, std::int64_t offset) -> std::byte* {
        auto const& entry = plan_.buffers[b];
        bool const by_half = entry.instances == parity::array;
        auto const half = by_half ? static_cast<std::uint32_t>(halves[entry.group / 64] >> entry.group % 64 & 1U) : 0U;
        auto* const begin = places_.buffer(b, by_half ? half : instance(entry));
        return begin ? begin + offset : nullptr;
    };
    auto const number = [&](std::uint32_t c) { return places_.counter(c, instance(plan_.counters[c])); };
    auto* const steps = steps_.data() + i * plan_.descriptors.size();
    for (std::size_t k = 0; k < plan_.descriptors.size(); ++k) {
        auto const& d = plan_.descriptors[k];
        auto& s = steps[k] = {.threshold = d.threshold, .value = d.value};
        if (d.trigger != 0) s.trigger = number(d.trigger);
        s.trigger_step = static_cast<std::int32_t>(plan_.counters[d.trigger].step);
        if (d.signal != 0) {
            auto const& c = plan_.counters[d.signal];
            s.signal = number(d.signal);
            s.signal_step = c.kind == counter_kind::sum ? bound_step::adds : static_cast<std::int32_t>(c.step);
        }
        if (!moves_data(d.op) && !is_end(d.op) && d.op != operation::call) continue;
        bool const carried = places_.carries(d);
        if (d.op == operation::landing && !carried) { // the put itself does it all
            s.signal = nullptr;
            continue;
        }
        s.source = place(d.src, d.src_offset);
        if (d.op != operation::put || !carried) s.target = place(d.dst, d.dst_offset);
        if (d.program >= plan_.programs.size()) continue;
        s.program = &plan_.programs[d.program];
        if (is_copy(d.op) || (d.op == operation::put && !carried)) s.kernel = copy_kernels()[s.program->kernel];
    }
    auto* const operands = operands_.data() + i * plan_.operands.size();
    for (std::size_t o = 1; o < plan_.operands.size(); ++o) operands[o] = place(plan_.operands[o].buffer, plan_.operands[o].offset);
    known_[i].places = {steps, operands};
}

} // namespace sode::internal
