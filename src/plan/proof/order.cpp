// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/order.hpp"

#include <algorithm>

namespace sode::internal::proof {

order::order(job const& all) : job_(all), pool_(all), state_(all.actors()), lines_(all.lines()) {}

clock order::stamp(std::uint32_t actor) {
    auto& a = state_[actor];
    clock c = a.seen;
    pool_.set(c, actor, a.now++);
    return c;
}

void order::start(std::size_t rank) {
    auto const c = stamp(job_.user(rank));
    for (std::size_t s = 0; s < job_.of(rank).streams.size(); ++s) state_[job_.stream(rank, s)].seen = c;
}

void order::end(std::size_t rank) {
    auto& user = state_[job_.user(rank)].seen;
    for (std::size_t s = 0; s < job_.of(rank).streams.size(); ++s) pool_.join(user, stamp(job_.stream(rank, s)));
}

void order::carry(std::uint32_t carrier, clock const& sender, clock const& receiver) {
    auto& seen = state_[carrier].seen;
    pool_.join(seen, sender);
    pool_.join(seen, receiver);
}

void order::hear(std::uint32_t actor, std::uint32_t other) {
    pool_.join(state_[actor].seen, stamp(other));
}

bool order::set(std::uint32_t actor, std::uint32_t line, std::int64_t value) {
    auto& settings = lines_[line].settings;
    bool const grows =
        settings.empty() || (settings.back().value < value && before(settings.back().actor, settings.back().time, actor));
    auto const time = now(actor);
    settings.push_back({value, actor, time, stamp(actor)});
    return grows;
}

void order::add(std::uint32_t actor, std::uint32_t line, std::int64_t value) {
    auto& adders = lines_[line].adders;
    auto a = std::find_if(adders.begin(), adders.end(), [&](adder const& x) { return x.actor == actor; });
    if (a == adders.end()) a = adders.insert(a, adder{.actor = actor});
    auto const time = now(actor);
    a->done.push_back({stamp(actor), time, (a->done.empty() ? 0 : a->done.back().upto) + value});
}

void order::pass_flag(std::uint32_t actor, std::uint32_t line, std::int64_t threshold) {
    if (threshold <= 0) return; // nothing had to come
    auto const& settings = lines_[line].settings;
    auto const s = std::find_if(settings.begin(), settings.end(), [&](setting const& x) { return x.value >= threshold; });
    if (s != settings.end()) pool_.join(state_[actor].seen, s->stamp);
}

void order::pass_sum(std::uint32_t actor, std::uint32_t line, std::int64_t threshold, std::span<possible const> ahead) {
    if (threshold <= 0) return;
    auto const& all = lines_[line].adders;
    outlook later;
    later.adders.resize(all.size());
    for (auto const& p : ahead) {
        auto const a = std::find_if(all.begin(), all.end(), [&](adder const& x) { return x.actor == p.actor; });
        (a == all.end() ? later.strangers : later.adders[ix(a - all.begin())]) += p.value;
    }
    auto& seen = state_[actor].seen;
    std::int64_t certain = 0;
    std::vector<clock const*> next; // of every actor, its first addition that is not certain
    bool next_known = later.strangers == 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
        auto const& done = all[k].done;
        // Where a later addition of an actor is needed, its earlier ones are.
        std::size_t low = 0, high = done.size();
        while (low < high) {
            auto const middle = (low + high) / 2;
            if (most_without(all, later, k, middle) < threshold)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > 0) {
            certain += done[low - 1].upto;
            pool_.join(seen, done[low - 1].stamp);
        }
        if (low < done.size())
            next.push_back(&done[low].stamp);
        else if (later.adders[k] > 0)
            next_known = false;
    }
    if (certain >= threshold || next.empty() || !next_known) return;
    clock common = *next.front();
    for (auto const* c : next) common = pool_.meet(common, *c);
    pool_.join(seen, common);
}

/// What all additions come to that can happen without the i-th of `one`: those that are not ordered behind it.
std::int64_t order::most_without(std::vector<adder> const& all, outlook const& ahead, std::size_t one, std::size_t i) const {
    auto const actor = all[one].actor;
    auto const time = all[one].done[i].time;
    std::int64_t total = ahead.strangers + (i == 0 ? 0 : all[one].done[i - 1].upto);
    for (std::size_t k = 0; k < all.size(); ++k) {
        if (k == one) continue;
        auto const& done = all[k].done;
        auto const behind =
            std::partition_point(done.begin(), done.end(), [&](addition const& b) { return pool_.at(b.stamp, actor) < time; });
        if (behind == done.end()) total += ahead.adders[k];
        if (behind != done.begin()) total += std::prev(behind)->upto;
    }
    return total;
}

} // namespace sode::internal::proof
