// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/dma_chain.hpp"

#include "layout/copy_rows.hpp"

#include <algorithm>

namespace sode::internal {

std::vector<dma_descriptor> chain_of(copy_view const& p) {
    std::vector<dma_descriptor> chain;
    bool too_long = false;
    for_each_row(p, [&](index_t src, index_t dst, index_t bytes) {
        if (too_long) return;
        if (!chain.empty() && chain.back().burst == bytes) {
            auto& last = chain.back();
            auto const bursts = last.size / last.burst;
            bool const second = bursts == 1;
            auto const apart = second ? src - last.source : last.burst + last.gap;
            if (apart >= bytes && src == last.source + bursts * apart && dst == last.destination + bursts * apart) {
                last.gap = apart - bytes;
                last.size += bytes;
                return;
            }
        }
        if (chain.size() == longest_chain) {
            too_long = true;
            return;
        }
        chain.push_back({.source = src, .destination = dst, .size = bytes, .burst = bytes, .gap = 0});
    });
    if (too_long) chain.clear();
    return chain;
}

chain_homes::chain chain_homes::keep(std::vector<dma_descriptor> const& steps) {
    std::size_t at = 0;
    auto before = taken_.begin();
    while (before != taken_.end() && before->first - at < steps.size()) {
        at = before->first + before->count;
        ++before;
    }
    if (at + steps.size() <= internal_.size()) {
        taken_.insert(before, {at, steps.size()});
        auto const there = std::span{internal_}.subspan(at, steps.size());
        std::ranges::copy(steps, there.begin());
        return {.steps = there, .internal = true};
    }
    chain made{.host = std::make_unique<dma_descriptor[]>(steps.size())}; // NOLINT(*-avoid-c-arrays)
    std::ranges::copy(steps, made.host.get());
    made.steps = {made.host.get(), steps.size()};
    return made;
}

void chain_homes::release(chain& one) noexcept {
    if (one.internal) {
        auto const first = static_cast<std::size_t>(one.steps.data() - internal_.data());
        std::erase_if(taken_, [&](block const& b) { return b.first == first; });
    }
    one = {};
}

std::size_t chain_homes::internal_used() const noexcept {
    std::size_t used = 0;
    for (auto const& b : taken_) used += b.count;
    return used;
}

} // namespace sode::internal
