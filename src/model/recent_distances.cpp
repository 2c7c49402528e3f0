// SPDX-License-Identifier: Apache-2.0
#include "model/recent_distances.hpp"

#include <utility>

namespace sode::internal {

recent_distances::recent_distances(distance_table const& table, int rank, machine_map machines)
    : machines_(std::move(machines)), members_(machines_.on(machines_.of(rank))), all_(static_cast<std::size_t>(members_.size())) {
    for (int const other : members_)
        if (other != rank) of(other).apart.store(between(table, rank, other), std::memory_order_relaxed);
}

bool recent_distances::due(int rank, std::int64_t now_ns) noexcept {
    auto& looked = of(rank).looked_ns;
    auto last = looked.load(std::memory_order_relaxed);
    return now_ns - last >= apart_ns && looked.compare_exchange_strong(last, now_ns, std::memory_order_relaxed);
}

void recent_distances::note(int rank, double round_trip_ns) noexcept {
    pair_distance const seen = classify(round_trip_ns);
    if (seen.kind == pair_distance::regime::unknown) return;
    one& o = of(rank);
    if (class_of(seen) == o.apart.load(std::memory_order_relaxed)) {
        o.doubted.store(false, std::memory_order_relaxed);
    } else if (!o.doubted.exchange(true, std::memory_order_relaxed)) {
        o.looked_ns.store(0, std::memory_order_relaxed); // look again soon
    } else {
        o.apart.store(class_of(seen), std::memory_order_relaxed);
        o.doubted.store(false, std::memory_order_relaxed);
    }
}

bool recent_distances::owes_look(int rank) noexcept {
    return of(rank).messages.fetch_add(1, std::memory_order_relaxed) % messages_a_look == messages_a_look - 1;
}

} // namespace sode::internal
