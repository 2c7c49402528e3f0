// SPDX-License-Identifier: Apache-2.0
#include "plan/proof/access.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal::proof {

access_log::access_log(job const& all, memory& bytes, order const& before, report& findings)
    : job_(all), memory_(bytes), order_(before), report_(findings) {}

void access_log::begin(event const& e) {
    events_.push_back(e);
}

bool access_log::ordered(std::uint32_t id) {
    auto const now = static_cast<std::uint32_t>(events_.size() - 1);
    if (id == now) return false; // within one descriptor bytes move in any order
    auto& a = answers_[id % answers_.size()];
    if (a.now != now || a.id != id) a = {now, id, order_.before(events_[id].actor, events_[id].time, events_[now].actor)};
    return a.ordered;
}

void access_log::read(std::uint32_t region, std::int64_t offset, cell& c) {
    auto const now = static_cast<std::uint32_t>(events_.size() - 1);
    if (c.written != 0 && !ordered(c.written)) conflict(region, offset, c.written, true, false);
    c.marks &= static_cast<std::uint8_t>(~cell::unread);
    // A read that is over before this one adds nothing: who comes after this one comes after it.
    auto const replaces = [&](std::uint32_t id) { return id == 0 || id == now || ordered(id); };
    if (!(c.marks & cell::crowded)) {
        for (auto& id : c.read)
            if (replaces(id)) {
                id = now;
                return;
            }
        memory_.crowd(c) = {c.read[0], c.read[1], now};
        c.marks |= cell::crowded;
        return;
    }
    auto& crowd = memory_.crowd(c);
    std::erase_if(crowd, replaces);
    crowd.push_back(now);
}

void access_log::write(std::uint32_t region, std::int64_t offset, cell& c) {
    if (c.written != 0 && !ordered(c.written)) conflict(region, offset, c.written, true, true);
    auto const check = [&](std::uint32_t id) {
        if (id != 0 && !ordered(id)) conflict(region, offset, id, false, true);
    };
    if (c.marks & cell::crowded) {
        auto& crowd = memory_.crowd(c);
        std::for_each(crowd.begin(), crowd.end(), check);
        crowd.clear();
        c.marks &= static_cast<std::uint8_t>(~cell::crowded);
    } else {
        std::for_each(c.read.begin(), c.read.end(), check);
    }
    c.read = {};
    c.written = static_cast<std::uint32_t>(events_.size() - 1);
}

void access_log::conflict(std::uint32_t region, std::int64_t offset, std::uint32_t other, bool other_writes, bool writes) {
    auto const& e = events_.back();
    report_.add(finding::type::race, job_.rank_of(e.actor), e.index, [&] {
        auto const where = memory_.describe(region, offset, memory_.granule());
        auto const doing = [](bool w) { return w ? "writes" : "reads"; };
        if (other + 1 == events_.size())
            return fmt::format("{} overlaps itself at {} (it {} bytes there that it also {}) keep source and target apart",
                               name_of(e), where, doing(writes), doing(other_writes));
        return fmt::format("race at {} ({} {} there and {} {}, in any order) put a signal and a wait, or a credit, between them",
                           where, name_of(events_[other]), doing(other_writes), name_of(e), doing(writes));
    });
}

std::string access_log::name_of(event const& e) const {
    auto const rank = job_.rank_of(e.actor);
    if (e.index == event::user_writes) return fmt::format("the user of rank {}, before epoch {},", rank, e.epoch);
    if (e.index == event::user_reads) return fmt::format("the user of rank {}, after epoch {},", rank, e.epoch);
    if (e.index == event::user_writes_early) return fmt::format("the user of rank {}, during epoch {},", rank, e.epoch);
    return fmt::format("{}, in epoch {},", proof::name_of(job_.of(rank), e.index), e.epoch);
}

} // namespace sode::internal::proof
