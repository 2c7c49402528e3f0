// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"
#include "layout/copy_list.hpp"

#include <algorithm>

namespace sode {

copy_program list_program(std::vector<copy_program::loop> const& loops, index_t bytes) {
    copy_program p;
    p.kernel = list_kernel;
    p.loop_count = static_cast<std::uint8_t>(loops.size());
    std::copy(loops.begin(), loops.end(), p.loops);
    p.bytes = bytes;
    for (auto const& l : loops) p.bytes *= l.count;
    return p;
}

copy_program with_places(copy_program p) {
    if (p.hops.size() < 2) return p;
    auto const goes_on = [&](auto side) {
        index_t const step = p.hops[1].*side - p.hops[0].*side;
        for (std::size_t i = 2; i < p.hops.size(); ++i)
            if (p.hops[i].*side - p.hops[i - 1].*side != step) return false;
        return true;
    };
    auto const keep = [&](auto places, auto steps) {
        p.place_step = p.hops[1].*steps - p.hops[0].*steps;
        p.src_offset += p.places_in_source ? 0 : p.hops[0].src;
        p.dst_offset += p.places_in_source ? p.hops[0].dst : 0;
        std::vector<std::int32_t> all(p.hops.size());
        std::transform(p.hops.begin(), p.hops.end(), all.begin(), [places](auto const& h) { return h.*places; });
        p.places = std::move(all);
        p.hops = {};
    };
    if (goes_on(&copy_program::hop::dst)) {
        p.places_in_source = true;
        keep(&copy_program::hop::src, &copy_program::hop::dst);
    } else if (goes_on(&copy_program::hop::src)) {
        keep(&copy_program::hop::dst, &copy_program::hop::src);
    }
    return p;
}

copy_program with_hops(copy_program p) {
    if (p.places.empty()) return p;
    std::vector<copy_program::hop> hops;
    hops.reserve(p.places.size());
    for (std::size_t i = 0; i < p.places.size(); ++i) {
        auto const step = static_cast<std::int32_t>(static_cast<index_t>(i) * p.place_step); // it was one before
        hops.push_back(p.places_in_source ? copy_program::hop{p.places[i], step} : copy_program::hop{step, p.places[i]});
    }
    p.hops = std::move(hops);
    p.places = {};
    p.places_in_source = false;
    p.place_step = 0;
    return p;
}

} // namespace sode
