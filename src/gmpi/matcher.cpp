// SPDX-License-Identifier: Apache-2.0
#include "gmpi/matcher.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal::kernels {

void matcher::leave_if_empty(std::map<envelope, line>::iterator at) {
    if (at->second.receives.empty() && at->second.arrivals.empty()) lines_.erase(at);
}

std::optional<arrival> matcher::match(envelope const& of, receive const& r) {
    auto const at = lines_.try_emplace(of).first;
    if (at->second.arrivals.empty()) {
        at->second.receives.push_back(r);
        ++waiting_;
        return std::nullopt;
    }
    auto found = std::move(at->second.arrivals.front());
    at->second.arrivals.pop_front();
    --kept_;
    leave_if_empty(at);
    return found;
}

std::optional<receive> matcher::match(envelope const& of) {
    auto const at = lines_.find(of);
    if (at == lines_.end() || at->second.receives.empty()) return std::nullopt;
    auto const found = at->second.receives.front();
    at->second.receives.pop_front();
    --waiting_;
    leave_if_empty(at);
    return found;
}

void matcher::keep(envelope const& of, arrival a) {
    lines_[of].arrivals.push_back(std::move(a));
    ++kept_;
}

bool matcher::waits_for(int peer) const {
    return std::ranges::any_of(lines_, [&](auto const& l) { return l.first.peer == peer && !l.second.receives.empty(); });
}

std::vector<receive> matcher::give_up(int peer) {
    std::vector<receive> all;
    for (auto at = lines_.begin(); at != lines_.end();) {
        auto const next = std::next(at);
        if (at->first.peer == peer) {
            all.insert(all.end(), at->second.receives.begin(), at->second.receives.end());
            waiting_ -= at->second.receives.size();
            at->second.receives.clear();
            leave_if_empty(at);
        }
        at = next;
    }
    return all;
}

} // namespace sode::internal::kernels
