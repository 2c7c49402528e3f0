// SPDX-License-Identifier: Apache-2.0
#include "layout/copy_kernels.hpp"
#include "layout/copy_list.hpp"

#include <algorithm>

namespace sode::internal {

copy_program list_program(std::vector<copy_program::loop> const& loops, index_t bytes) {
    copy_program p;
    p.loop_count = static_cast<std::uint8_t>(loops.size());
    std::copy(loops.begin(), loops.end(), p.loops);
    p.bytes = bytes;
    for (auto const& l : loops) p.bytes *= l.count;
    return p;
}

copy_program with_places(copy_program p) {
    auto const hops = p.hops();
    if (hops.size() < 2) return p;
    auto const goes_on = [&](auto side) {
        index_t const step = hops[1].*side - hops[0].*side;
        for (std::size_t i = 2; i < hops.size(); ++i)
            if (hops[i].*side - hops[i - 1].*side != step) return false;
        return true;
    };
    auto const keep = [&](copy_encoding form, auto places, auto steps) {
        p.place_step = hops[1].*steps - hops[0].*steps;
        (form == copy_encoding::gather ? p.dst_offset : p.src_offset) += hops[0].*steps;
        std::vector<copy_program::place> all(hops.size());
        std::transform(hops.begin(), hops.end(), all.begin(), [places](auto const& h) { return h.*places; });
        p.set_table(form, std::move(all));
        p.kernel = kernel_for(p);
    };
    using hop = copy_program::hop;
    if (goes_on(&hop::dst))
        keep(copy_encoding::gather, &hop::src, &hop::dst);
    else if (goes_on(&hop::src))
        keep(copy_encoding::scatter, &hop::dst, &hop::src);
    return p;
}

copy_program with_hops(copy_program p) {
    auto const places = p.places();
    if (places.empty()) return p;
    bool const in_source = p.encoding == copy_encoding::gather;
    std::vector<copy_program::hop> hops;
    hops.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        auto const step = static_cast<std::int32_t>(static_cast<index_t>(i) * p.place_step); // it was one before
        hops.push_back(in_source ? copy_program::hop{places[i], step} : copy_program::hop{step, places[i]});
    }
    p.set_table(std::move(hops));
    p.place_step = 0;
    p.kernel = kernel_for(p);
    return p;
}

} // namespace sode::internal
