// SPDX-License-Identifier: Apache-2.0
#include "request_table.hpp"

namespace sode::interpose {

tracked_request& request_table::insert(MPI_Request request, tracked_request what) {
    erase(request); // what was completed behind our back
    std::lock_guard const lock{mutex_};
    if (what.receives && what.active) count_receive(1);
    auto const [at, fresh] = table_.insert_or_assign(key(request), std::pair{request, std::move(what)});
    if (fresh) entries_.fetch_add(1, std::memory_order_relaxed);
    return at->second.second;
}

tracked_request* request_table::find(MPI_Request request) {
    if (empty()) return nullptr;
    std::lock_guard const lock{mutex_};
    auto const at = table_.find(key(request));
    return at == table_.end() ? nullptr : &at->second.second;
}

void request_table::erase(MPI_Request request) {
    std::lock_guard const lock{mutex_};
    auto const at = table_.find(key(request));
    if (at == table_.end()) return;
    if (at->second.second.receives && at->second.second.active) count_receive(-1);
    table_.erase(at);
    entries_.fetch_sub(1, std::memory_order_relaxed);
}

} // namespace sode::interpose
