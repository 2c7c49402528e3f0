// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/exchange_spec.hpp"

#include "base/mixing.hpp"
#include "layout/layout_algebra.hpp"

#include <algorithm>

namespace sode {
namespace {

void mix_layout(std::uint64_t& hash, layout const& l) {
    mix(hash, l.offset);
    mix(hash, l.block);
    for (auto const& loop : l.loops) mix(hash, loop.count), mix(hash, loop.stride);
    for (auto const& p : l.list) mix(hash, p.offset), mix(hash, p.bytes);
    for (auto const& p : l.parts) mix_layout(hash, p);
}

} // namespace

std::uint64_t exchange_spec::fingerprint() const noexcept {
    std::uint64_t hash = 0x65786368;
    for (auto const& rank : all) {
        mix(hash, static_cast<index_t>(rank.ends.size()));
        for (auto const& r : rank.regions) mix(hash, r.bytes), mix(hash, index_t{r.shared});
        for (auto const& e : rank.ends) {
            for (index_t const n : {index_t{e.sends}, index_t{e.peer}, index_t{e.tag}, index_t{e.region}}) mix(hash, n);
            mix_layout(hash, e.where);
        }
    }
    return exchange_terms::fingerprint(hash);
}

std::size_t exchange_spec::most_regions() const noexcept {
    std::size_t most = 0;
    for (auto const& rank : all) most = std::max(most, rank.regions.size());
    return most;
}

std::vector<array_model> exchange_models(exchange_spec const& spec, int rank) {
    auto const& mine = spec.all[static_cast<std::size_t>(rank)];
    std::vector<array_model> models;
    for (std::uint32_t r = 0; r < mine.regions.size(); ++r) {
        layout_sequence written, read;
        for (auto const& e : mine.ends)
            if (e.region == r) (e.sends ? written : read).add(e.where, 0);
        models.push_back({.ordinal = r,
                          .bytes = mine.regions[r].bytes,
                          .buffered = false,
                          .owned = written.finish(),
                          .readable = read.finish(),
                          .shared = mine.regions[r].shared});
    }
    return models;
}

} // namespace sode
