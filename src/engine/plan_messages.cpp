// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_messages.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sode::internal {

namespace {

constexpr auto numbers_in_serial = binding::messages_of_a_serial;

std::uint64_t serials_of(int most_tag) {
    return (static_cast<std::uint64_t>(most_tag) + 1) / numbers_in_serial;
}

} // namespace

int message_tag(std::uint64_t serial, std::uint32_t message, int most_tag) noexcept {
    auto const serials = serials_of(most_tag);
    return static_cast<int>((serial + message / numbers_in_serial) % serials * numbers_in_serial + message % numbers_in_serial);
}

messenger& carrier_of(context const& c, std::string_view name) {
    auto* const carrier = c.ranks.boot().messages();
    if (!carrier)
        throw error{error_kind::environment, fmt::format("{} needs messages between ranks that share no memory", name),
                    fmt::format("ranks that were started by {} cannot send messages", c.ranks.boot().name()),
                    "start the program with mpirun"};
    return *carrier;
}

plan_messages::plan_messages(schedule const& p, binding const& places, context const& c) : plan_(p) {
    auto const is_carried = [&](descriptor const& d) { return is_message(d.op) || places.carries(d); };
    if (std::ranges::none_of(p.descriptors, is_carried)) return;
    auto& carrier = carrier_of(c, p.name);
    if (auto const most = serials_of(carrier.most_tag()); places.serials() > most)
        throw error{error_kind::environment, fmt::format("{} has too many messages between two ranks", p.name),
                    fmt::format("only {} tags are available", most * numbers_in_serial), "plan the communication in several parts"};
    carrier_ = &carrier;
    set_ = carrier.make_set();
    line_of_.resize(p.descriptors.size());
    for (std::size_t i = 0; i < p.descriptors.size(); ++i) {
        if (!is_carried(p.descriptors[i])) continue;
        line_of_[i] = static_cast<std::uint32_t>(lines_.size());
        lines_.push_back({.descriptor = static_cast<std::uint32_t>(i),
                          .tag = message_tag(places.serial(), p.descriptors[i].argument, carrier.most_tag())});
    }
}

void plan_messages::start(std::size_t descriptor, std::byte* data, std::int64_t shift) {
    auto& l = lines_[line_of_[descriptor]];
    auto& one = l.instances[idle_at(l, data)];
    one.busy = true;
    by_number_[one.number].entry = l.queue.size();
    l.queue.push_back({shift, false});
    set_->start(one.number);
    ++under_way_;
}

void plan_messages::forget() {
    if (!carrier_) return;
    set_ = carrier_->make_set();
    by_number_.clear();
    for (auto& l : lines_) {
        l.instances.clear();
        l.next = 0;
    }
}

std::size_t plan_messages::standing(std::span<std::uint32_t> at) const noexcept {
    std::size_t n = 0;
    for (auto const& l : lines_)
        if (n < at.size() && l.told < l.queue.size()) at[n++] = l.descriptor;
    return n;
}

std::size_t plan_messages::idle_at(line& l, std::byte* data) {
    auto const n = l.instances.size();
    for (std::size_t tried = 0, i = l.next; tried < n; ++tried, i = i + 1 < n ? i + 1 : 0)
        if (l.instances[i].data == data && !l.instances[i].busy) {
            l.next = i + 1 < n ? i + 1 : 0;
            return i;
        }
    auto const& d = plan_.descriptors[l.descriptor];
    auto const bytes = static_cast<std::size_t>(plan_.programs[d.program].bytes);
    bool const leaves = d.op == operation::send || d.op == operation::put;
    auto const number = leaves ? set_->send(data, bytes, d.peer, l.tag) : set_->receive(data, bytes, d.peer, l.tag);
    l.instances.push_back({data, number, false});
    by_number_.resize(number + 1);
    by_number_[number] = {line_of_[l.descriptor], static_cast<std::uint32_t>(n), 0};
    done_.resize(by_number_.size());
    return n;
}

std::span<plan_messages::ended const> plan_messages::collect() {
    over_.clear();
    std::size_t const n = set_->collect(done_);
    under_way_ -= n;
    for (std::size_t k = 0; k < n; ++k) {
        auto const& of = by_number_[done_[k]];
        auto& l = lines_[of.line];
        l.instances[of.instance].busy = false;
        l.queue[of.entry].over = true;
        while (l.told < l.queue.size() && l.queue[l.told].over) over_.push_back({l.descriptor, l.queue[l.told++].shift});
        if (l.told < l.queue.size()) continue;
        l.queue.clear();
        l.told = 0;
    }
    return over_;
}

} // namespace sode::internal
