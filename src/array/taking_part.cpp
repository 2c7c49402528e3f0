// SPDX-License-Identifier: Apache-2.0
#include "array/taking_part.hpp"

#include "model/job.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

// Those of the first grid in the order of its nodes, so that on most parts node k is rank k.
std::vector<int> ranks_of(std::span<detail::halo_source const* const> arrays) {
    auto ranks = arrays.front()->shape->grid.ranks();
    auto const first = ranks.size();
    for (auto const* a : arrays.subspan(1)) {
        auto const more = a->shape->grid.ranks();
        ranks.insert(ranks.end(), more.begin(), more.end());
    }
    auto known = std::vector<int>(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(first));
    std::ranges::sort(known);
    auto const rest = ranks.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(rest, ranks.end());
    ranks.erase(std::unique(rest, ranks.end()), ranks.end());
    ranks.erase(std::remove_if(rest, ranks.end(), [&](int r) { return std::ranges::binary_search(known, r); }), ranks.end());
    return ranks;
}

geometry renumber(geometry const& g, std::vector<int> const& members) {
    auto result = g;
    std::vector<int> order;
    for (int const r : g.grid.ranks()) order.push_back(static_cast<int>(std::ranges::find(members, r) - members.begin()));
    bool const as_they_are = std::ranges::is_sorted(order) && order.back() + 1 == g.grid.size();
    result.grid.mapping = detail::rank_order{as_they_are ? std::vector<int>{} : std::move(order)};
    if (!g.brought.empty()) {
        result.brought.clear();
        for (int const r : members) result.brought.push_back(g.brought[static_cast<std::size_t>(r)]);
    }
    return result;
}

} // namespace

taking_part::taking_part(std::span<detail::halo_source const* const> arrays) : among_(arrays.front()->owner->shared_from_this()) {
    auto const all = among_->boot->size();
    if (std::ranges::any_of(arrays, [&](auto const* a) { return a->shape->grid.size() == all; })) return;
    members_ = ranks_of(arrays);
    if (static_cast<int>(members_.size()) == all) {
        members_.clear();
        return;
    }
    absent_ = std::ranges::find(members_, among_->boot->rank()) == members_.end();
    if (absent_) return;
    among_->require_running("a communication");
    among_ = among_->part_of(members_).shared_from_this();
}

detail::halo_source taking_part::operator()(detail::halo_source const& array) {
    if (absent_ || members_.empty()) return array;
    auto known = std::ranges::find(renumbered_, array.shape, &decltype(renumbered_)::value_type::first);
    if (known == renumbered_.end())
        known = renumbered_.insert(known, {array.shape, std::make_shared<geometry const>(renumber(*array.shape, members_))});
    auto result = array;
    result.owner = among_.get();
    result.shape = known->second;
    return result;
}

} // namespace sode::internal
