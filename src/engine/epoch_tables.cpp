// SPDX-License-Identifier: Apache-2.0
#include "engine/epoch_tables.hpp"

#include "engine/engine.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace sode {
namespace {

// Beyond this a combination hardly comes again while its table is known.
constexpr std::uint64_t longest_period = std::uint64_t{1} << 32U;

std::uint64_t period_of(plan const& p) {
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

epoch_tables::epoch_tables(plan const& p, binding const& places)
    : plan_(p), places_(places), period_(period_of(p)), mask_(std::has_single_bit(period_) ? period_ - 1 : no_mask),
      words_(words_of_halves(p.groups)), known_(tables_for(period_, p.groups)), halves_(known_.size() * words_),
      buffers_(known_.size() * p.buffers.size()), counters_(known_.size() * p.counters.size()),
      triggers_(known_.size() * p.descriptors.size()) {}

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
    auto* const buffers = buffers_.data() + i * plan_.buffers.size();
    for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
        auto const& entry = plan_.buffers[b];
        bool const by_half = entry.instances == parity::array;
        auto const half = by_half ? static_cast<std::uint32_t>(halves[entry.group / 64] >> entry.group % 64 & 1U) : 0U;
        buffers[b] = places_.buffer(b, by_half ? half : instance(entry));
    }
    auto* const counters = counters_.data() + i * plan_.counters.size();
    for (std::size_t c = 1; c < plan_.counters.size(); ++c)
        counters[c] = {places_.counter(c, instance(plan_.counters[c])), plan_.counters[c].step};
    auto* const triggers = triggers_.data() + i * plan_.descriptors.size();
    for (std::size_t d = 0; d < plan_.descriptors.size(); ++d) triggers[d] = counters[plan_.descriptors[d].trigger].number;
    known_[i].places = {buffers, counters, triggers};
}

} // namespace sode
