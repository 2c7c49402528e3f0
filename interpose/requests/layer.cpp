// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

#include "interpose/calls/straight.hpp"

#include <limits>

namespace sode::internal::interpose {

layer::layer(config const& settings)
    : base(settings), packs(base, requests), shorts(base, requests, packs), receives(base, requests, packs, shorts),
      probes(base, requests, receives), sends(base, requests, packs, receives, probes),
      completes(base, requests, receives, probes, sends), agrees(base) {}

layer::~layer() {
    sends.settle();
}

void layer::open_straight_ways() {
    learn_predefined();
    constexpr MPI_Count any = std::numeric_limits<MPI_Count>::max();
    straight_ways::limits all;
    // What lies together is moved by us only if its receiver can reach it, or on a path that is forced. The report counts it.
    bool const is_left = !base.forced() && base.told() == nullptr && !base.here().reaches_any();
    all.sends = is_left ? any : base.eager_bytes();
    all.receives = static_cast<MPI_Count>(shortest_record) - 1;
    all.watched = any;
    all.noted = base.has_one_thread() ? any : -1;
    all.requests = &requests;
    // Longer ones may have records often, and somebody may ask what they take.
    all.watched_with_records = base.least_bytes();
    all.noted_with_records = base.has_one_thread() ? base.least_bytes() : -1;
    all.formed = base.least_bytes();
    if (base.has_one_thread()) sizes_of_types.open();
    straight.open(all, base.here().met());
}

std::string layer::told() {
    report* const told = base.told();
    if (told != nullptr) base.here().ranks().barrier(); // what was received late counts, too
    sends.settle();
    if (told == nullptr) return {};
    std::string text = told->text(base.here().ranks());
    return text + base.learnt().text(base.here().ranks());
}

} // namespace sode::internal::interpose
