// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/exchange_spec.hpp"

#include "base/mixing.hpp"
#include "channel/ways.hpp"
#include "layout/layout_algebra.hpp"

#include <tuple>

namespace sode::internal {

bool exchange_spec::may_go_together() const noexcept {
    return may_combine_machines() || (forced == &ways::mpi_machine && !machines.one());
}

// What messages are is agreed upon when they are matched.
std::uint64_t exchange_spec::fingerprint() const noexcept {
    return exchange_terms::fingerprint(0x65786368);
}

std::array<std::uint64_t, 2> pairing_of(rank_ends const& ends, int rank) {
    std::array<std::uint64_t, 2> sums{};
    std::map<std::tuple<bool, int, int>, index_t> met; // so many with that tag, to or from that peer
    for (auto const& e : ends.ends) {
        auto const number = met[{e.sends, e.peer, e.tag}]++;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            std::uint64_t hash = i;
            for (index_t const n :
                 {index_t{e.sends ? rank : e.peer}, index_t{e.sends ? e.peer : rank}, index_t{e.tag}, number, e.where.bytes()})
                mix(hash, n);
            sums[i] += e.sends ? hash : std::uint64_t{0} - hash;
        }
    }
    return sums;
}

std::vector<array_model> exchange_models(exchange_spec const& spec, int rank) {
    auto const& mine = spec.ends.at(rank);
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

} // namespace sode::internal
