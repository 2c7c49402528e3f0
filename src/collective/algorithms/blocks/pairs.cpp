// SPDX-License-Identifier: Apache-2.0
#include "collective/block_pairs.hpp"

#include "pattern/choose_way.hpp"
#include "pattern/plan_edges.hpp"

namespace sode::internal {

block_pairs::block_pairs(block_terms const& t, bool together)
    : edge_set(t, {.machine_messages = together && !t.machines.one()}), terms_(t), known_(static_cast<std::size_t>(t.ranks())) {}

void block_pairs::from(int rank, outgoing& result) const {
    auto& all = known_[static_cast<std::size_t>(rank)];
    if (all.edges.empty()) {
        int const ranks = terms_.ranks();
        bool const alltoall = terms_.kind == block_kind::alltoall;
        auto const given = alltoall ? terms_.bytes * ranks : terms_.bytes;
        for (int target = 0; target < ranks; ++target) {
            all.edges.push_back({.source = rank,
                                 .target = target,
                                 .from = {.host = rank, .role = buffer_role::array, .ordinal = 0, .bytes = given},
                                 .source_layout = contiguous(alltoall ? terms_.bytes * target : 0, terms_.bytes),
                                 .to = {.host = target, .role = buffer_role::array, .ordinal = 1, .bytes = terms_.bytes * ranks},
                                 .target_layout = contiguous(terms_.bytes * rank, terms_.bytes)});
            choose_way(all.edges.back(), terms_, false);
        }
        all.assign_places();
    }
    result = all;
}

void block_pairs::locate(edge& e) const {
    e.slot = e.first_slot = e.source < e.target ? e.source : e.source - 1;
}

std::vector<int> block_pairs::sources(int rank) const {
    std::vector<int> list;
    for (int r = 0; r < terms_.ranks(); ++r)
        if (r != rank) list.push_back(r);
    return list;
}

int block_pairs::slots(int /*rank*/) const {
    return terms_.ranks() - 1;
}

plan plan_pairs(block_pairs const& pairs, int rank) {
    return plan_edges(pairs, rank);
}

blocks_of_rank blocks_in_order(block_terms const& t, int rank) {
    bool const alltoall = t.kind == block_kind::alltoall;
    int const ranks = t.ranks();
    blocks_of_rank all{.array_bytes = {alltoall ? t.bytes * ranks : t.bytes, t.bytes * ranks}};
    for (int r = 0; r < ranks; ++r) {
        blocks_of_rank::place const given{0, contiguous(alltoall ? t.bytes * r : 0, t.bytes)},
            got{1, contiguous(t.bytes * r, t.bytes)};
        if (alltoall || r == rank) all.given.emplace_back(given);
        all.got.emplace_back(got);
    }
    return all;
}

} // namespace sode::internal
