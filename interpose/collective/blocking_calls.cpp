// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/blocking_calls.hpp"

#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/collective_service.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal::interpose {

blocking_calls::kind& blocking_calls::called(repeated_call const& what, terms const& how) {
    if (latest_ >= known_.size() || !(known_[latest_].what == what)) {
        auto at = std::ranges::find(known_, what, &kind::what);
        if (at == known_.end()) {
            if (known_.size() < most_known) {
                known_.emplace_back();
                at = known_.end() - 1;
            } else {
                at = std::ranges::min_element(known_, {}, [](kind const& k) { return k.last.number; });
                drop(*at);
                *at = {};
            }
            at->what = what;
            at->told = call_log::words_of(what, false);
            at->goes_straight = !service_.base().is_long(what.bytes, MPI_BYTE);
        }
        latest_ = static_cast<std::size_t>(at - known_.begin());
    }
    known_[latest_].last = how;
    return known_[latest_];
}

bool blocking_calls::is_due(kind& k) const noexcept {
    return ++k.seen >= calls_worth_a_plan << std::min(made_ / most_plans, most_doubled);
}

template <class Among> blocking_calls::kind* blocking_calls::oldest(Among among) noexcept {
    kind* oldest = nullptr;
    for (auto& k : known_)
        if (k.plan && among(k) && (oldest == nullptr || k.last.number < oldest->last.number)) oldest = &k;
    return oldest;
}

blocking_calls::kind* blocking_calls::oldest_long(kind const* except) noexcept {
    return oldest([&](kind const& k) { return k.last.is_long && &k != except; });
}

void blocking_calls::make_room(kind const& k) noexcept {
    while (plans_ >= most_plans) drop(*oldest([](kind const&) { return true; }));
    while (!k.last.is_long && bytes_ > 0 && bytes_ + k.last.bytes > most_bytes)
        drop(*oldest([](kind const& other) { return !other.last.is_long; }));
}

void blocking_calls::keep(kind& k, std::unique_ptr<planned_call> plan) noexcept {
    k.plan = std::move(plan);
    k.trial = blocking_trial{k.what.what};
    ++plans_;
    ++made_;
    if (k.last.is_long)
        k.held = service_.hold(k.plan->held());
    else
        bytes_ += k.last.bytes;
}

void blocking_calls::drop(kind& k) noexcept {
    if (!k.plan) return;
    k.plan.reset();
    k.seen = 0;
    left_ = {};
    --plans_;
    k.held = {};
    if (!k.last.is_long) bytes_ -= k.last.bytes;
}

// Not with datatypes of the program's, which may be gone at the next call, and their handles those of others.
void blocking_calls::remember_left(unread_call const& as) noexcept {
    auto const stays = [](MPI_Datatype type) { return type == MPI_DATATYPE_NULL || lies_densely(type); };
    if (as.count >= 0 && stays(as.type) && stays(as.into)) left_[static_cast<std::size_t>(as.what)] = {as, latest_};
}

void blocking_calls::end() noexcept {
    for (auto& k : known_) drop(k);
    known_.clear();
    left_ = {};
}

} // namespace sode::internal::interpose
