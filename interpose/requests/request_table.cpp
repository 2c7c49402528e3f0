// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/request_table.hpp"

#include "interpose/calls/straight.hpp"

#include <algorithm>

namespace sode::internal::interpose {

/// Under the lock. While there are some, no call goes straight to MPI.
void request_table::count_orphans_by(int more) {
    int const before = orphans_.fetch_add(more, std::memory_order_relaxed);
    if (before == 0) straight.hold();
    if (before + more == 0) straight.release();
}

void request_table::put(MPI_Request request, entry what) {
    if (noted_receive* const r = noted_.find(request)) noted_.drop(*r); // completed behind our back
    std::lock_guard const lock{mutex_};
    receives_.fetch_add(counted(*what), std::memory_order_relaxed);
    if (what->orphaned) count_orphans_by(1);
    auto& place = table_[key(request)];
    if (place.second) { // completed behind our back
        receives_.fetch_sub(counted(*place.second), std::memory_order_relaxed);
        if (late_looks_ != 0) displaced_.push_back(std::move(place));
    } else
        entries_.fetch_add(1, std::memory_order_relaxed);
    place = {request, std::move(what)};
}

bool request_table::has_only_receives(int count, MPI_Request const* requests) {
    if (entries_.load(std::memory_order_relaxed) == receives_.load(std::memory_order_relaxed)) return true;
    std::lock_guard const lock{mutex_};
    return std::all_of(requests, requests + count, [this](MPI_Request r) {
        auto const at = table_.find(key(r));
        return at == table_.end() || counted(*at->second.second) != 0;
    });
}

request_table::entry request_table::late_look::take_displaced(MPI_Request request) {
    for (std::size_t i = first_; i < table_.displaced_.size(); ++i)
        if (auto& [handle, what] = table_.displaced_[i]; what && handle == request) return std::move(what);
    return nullptr;
}

request_table::entry request_table::take(MPI_Request request) {
    if (!tracks()) return nullptr;
    std::lock_guard const lock{mutex_};
    auto const at = table_.find(key(request));
    if (at == table_.end()) return nullptr;
    entry e = std::move(at->second.second);
    table_.erase(at);
    entries_.fetch_sub(1, std::memory_order_relaxed);
    receives_.fetch_sub(counted(*e), std::memory_order_relaxed);
    return e;
}

} // namespace sode::internal::interpose
