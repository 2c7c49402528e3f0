// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/regular_blocks.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

bool same_place(known_end const& a, known_end const& b) {
    return a.region == b.region && a.where == b.where;
}

} // namespace

std::optional<block_shape> block_shape_of(rank_ends const& ends, int rank, int ranks) {
    std::vector<int> sent(static_cast<std::size_t>(ranks)), got(sent);
    known_end const* first_sent = nullptr;
    bool gathers = true;
    std::int64_t bytes = 0;
    for (auto const& e : ends.ends) {
        auto& count = (e.sends ? sent : got)[static_cast<std::size_t>(e.peer)];
        auto const size = e.where.bytes();
        if (++count > 1 || e.tag != 0 || size == 0 || (bytes != 0 && size != bytes)) return {};
        bytes = size;
        if (e.sends && !first_sent) first_sent = &e;
        if (e.sends) gathers = gathers && same_place(e, *first_sent);
    }
    auto const own = static_cast<std::size_t>(rank);
    if (bytes == 0 || sent[own] != got[own]) return {};
    auto const missing = [&](std::vector<int> const& all) { return std::ranges::count(all, 0) - (sent[own] == 0 ? 1 : 0); };
    if (missing(sent) != 0 || missing(got) != 0) return {};
    return block_shape{gathers ? block_kind::allgather : block_kind::alltoall, bytes};
}

blocks_of_rank blocks_of(rank_ends const& ends, block_kind kind, int ranks) {
    blocks_of_rank all;
    for (auto const& r : ends.regions) all.array_bytes.push_back(r.bytes);
    all.given.resize(kind == block_kind::alltoall ? static_cast<std::size_t>(ranks) : 1);
    all.got.resize(static_cast<std::size_t>(ranks));
    for (auto const& e : ends.ends) {
        auto const peer = static_cast<std::size_t>(e.peer);
        (e.sends ? all.given[kind == block_kind::alltoall ? peer : 0] : all.got[peer]) = {e.region, e.where};
    }
    return all;
}

} // namespace sode::internal
