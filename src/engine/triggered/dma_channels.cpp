// SPDX-License-Identifier: Apache-2.0
#include "engine/triggered/dma_channels.hpp"

#include <algorithm>
#include <cstring>

namespace sode::internal {

bool dma_channels::go() {
    bool any = false;
    for (std::size_t c = 0; c < channels; ++c)
        if (!queues_[c].empty()) {
            any = true;
            run(c);
        }
    return any;
}

void dma_channels::run(std::size_t channel) {
    auto& chain = queues_[channel].front();
    auto& at = at_[channel];
    std::int64_t left = piece;
    for (; at.step < chain.steps.size() && left > 0; ++at.step, at.done = 0) {
        auto const& d = chain.steps[at.step];
        auto place = at.done / d.burst * (d.burst + d.gap);
        for (; at.done < d.size && left > 0; at.done += d.burst, left -= d.burst, place += d.burst + d.gap)
            std::memcpy(chain.what.target + d.destination + place, chain.what.source + d.source + place,
                        static_cast<std::size_t>(d.burst));
        if (at.done < d.size) return;
    }
    if (at.step < chain.steps.size()) return;
    chain.what.publish();
    --*chain.under_way;
    at = {};
    queues_[channel].pop_front();
}

void dma_channels::drop(std::uint64_t const* under_way) noexcept {
    for (std::size_t c = 0; c < channels; ++c) {
        auto& q = queues_[c];
        if (!q.empty() && q.front().under_way == under_way) at_[c] = {};
        std::erase_if(q, [&](started const& s) { return s.under_way == under_way; });
    }
}

} // namespace sode::internal
