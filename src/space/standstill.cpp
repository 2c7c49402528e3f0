// SPDX-License-Identifier: Apache-2.0
#include "space/standstill.hpp"

#include <algorithm>

namespace sode::internal {
namespace {

bool same_place(waiting_rank const& a, waiting_rank const& b) {
    return a.plan == b.plan && (a.plan == 0 || a.epoch == b.epoch);
}

// What is believed of each rank, and given up for those for whom it cannot be shown.
struct beliefs {
    std::vector<bool> stuck;  // its wait does not end
    std::vector<bool> frozen; // and it does nothing for anybody meanwhile
};

// The word of `from` never comes to `waiting`.
bool never_comes(wait_picture const& all, beliefs const& b, waiting_rank const& waiting, waiting_rank::source const& from) {
    auto const r = static_cast<std::size_t>(from.rank);
    auto const& source = all.ranks[r];
    if (!source || !source->waits) return false;
    if (from.by_message && all.may_have_started(from.rank, waiting.plan, waiting.epoch)) return false;
    return same_place(waiting, *source) ? b.frozen[r] : b.stuck[r];
}

// Whom a rank waits for: in a collective call, those who have entered fewer.
std::vector<waiting_rank::source> awaited_by(wait_picture const& all, waiting_rank const& w) {
    if (w.plan != 0) return w.awaited;
    std::vector<waiting_rank::source> late;
    for (std::size_t r = 0; r < all.ranks.size(); ++r)
        if (!all.ranks[r] || all.ranks[r]->calls < w.calls) late.push_back({static_cast<int>(r), false});
    return late;
}

} // namespace

std::vector<bool> without_end(wait_picture const& all) {
    auto const n = all.ranks.size();
    beliefs b{std::vector<bool>(n), std::vector<bool>(n)};
    std::vector<std::vector<waiting_rank::source>> awaited(n);
    for (std::size_t r = 0; r < n; ++r) {
        if (!all.ranks[r] || !all.ranks[r]->waits) continue;
        b.stuck[r] = b.frozen[r] = true;
        awaited[r] = awaited_by(all, *all.ranks[r]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t r = 0; r < n; ++r) {
            auto const never = [&](auto const& from) { return never_comes(all, b, *all.ranks[r], from); };
            if (b.frozen[r] && !(all.ranks[r]->all_told && !awaited[r].empty() && std::ranges::all_of(awaited[r], never))) {
                b.frozen[r] = false;
                changed = true;
            }
            if (b.stuck[r] && std::ranges::none_of(awaited[r], never)) {
                b.stuck[r] = false;
                changed = true;
            }
        }
    }
    return b.stuck;
}

std::optional<standstill> explain(wait_picture const& all, std::vector<bool> const& stuck) {
    auto const blocks = [&](waiting_rank const& waiting, waiting_rank::source const& from) {
        auto const r = static_cast<std::size_t>(from.rank);
        return stuck[r] && !same_place(waiting, *all.ranks[r]);
    };
    for (std::size_t r = 0; r < stuck.size(); ++r) {
        if (!stuck[r]) continue;
        auto const& waiting = *all.ranks[r];
        for (auto const& from : awaited_by(all, waiting)) {
            if (!blocks(waiting, from)) continue;
            auto const& peer = *all.ranks[static_cast<std::size_t>(from.rank)];
            auto const theirs = awaited_by(all, peer);
            auto const is_stuck = [&](auto const& s) { return stuck[static_cast<std::size_t>(s.rank)]; };
            auto third = std::ranges::find_if(theirs, [&](auto const& s) { return s.rank == static_cast<int>(r); });
            if (third == theirs.end()) third = std::ranges::find_if(theirs, is_stuck);
            if (third == theirs.end()) continue;
            return standstill{static_cast<int>(r), from.rank, third->rank, waiting.where, peer.where};
        }
    }
    return std::nullopt;
}

std::optional<standstill> standstill_watch::look() {
    wait_picture all;
    for (int r = 0; r < table_.ranks(); ++r) all.ranks.push_back(table_.look_at(r));
    all.may_have_started = [this](int r, std::uint64_t plan, std::uint64_t epoch) {
        return table_.may_have_started(r, plan, epoch);
    };
    auto const stuck = without_end(all);
    if (!stuck[static_cast<std::size_t>(table_.rank())]) {
        candidates_.clear();
        return std::nullopt;
    }
    bool certain = true;
    std::map<int, seen> now;
    for (std::size_t r = 0; r < stuck.size(); ++r) {
        // Also who is not stuck for good may be part of the proof, as one who is frozen; nobody is frozen who is not stuck.
        if (!stuck[r]) continue;
        auto const& rank = *all.ranks[r];
        auto const before = candidates_.find(static_cast<int>(r));
        bool const known = before != candidates_.end() && before->second.version == rank.version;
        // Collective calls are counted, so that nothing can have been overlooked there; and who gave up has been certain.
        bool const tried = rank.in_call || rank.gave_up || (known && rank.rounds >= before->second.rounds + 2);
        certain = certain && known && tried;
        now[static_cast<int>(r)] = known ? before->second : seen{rank.version, rank.rounds};
    }
    candidates_ = std::move(now);
    return certain ? explain(all, stuck) : std::nullopt;
}

} // namespace sode::internal
