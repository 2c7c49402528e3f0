// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/mutations.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace sode::internal::testing {

inline bool only_waits(descriptor const& d) {
    return d.op == operation::wait || d.op == operation::credit;
}
inline bool only_moves(descriptor const& d) {
    return moves_data(d.op) && d.trigger == 0 && d.signal == 0;
}

inline bool is_one_of(operation op, std::initializer_list<operation> list) {
    return std::ranges::find(list, op) != list.end();
}

// Waits until a message of its own is over.
inline bool of_own_message(spot const& s) {
    auto const& p = s.sound;
    auto const& k = p.counters[s.here().trigger];
    return s.here().op == operation::wait && k.kind == counter_kind::flag && k.host == p.rank && k.writer == p.rank && k.index >= 3;
}

// What does no harm in any of these plans.
inline std::vector<harmless> harmless_changes() {
    using enum mutation_kind;
    using enum operation;
    return {
        {repeat, "what has been waited for need not be waited for again", [](spot const& s) { return only_waits(s.here()); }},
        {swap, "what is waited for together may be waited for in any order",
         [](spot const& s) { return only_waits(s.here()) && only_waits(s.next()); }},
        {swap, "what moves between the same two events may move in any order",
         [](spot const& s) {
             return only_moves(s.here()) && only_moves(s.next()) && s.here().op == s.next().op && s.here().op != reduce;
         }},
        {swap, "messages of several machines begin in any order",
         [](spot const& s) { return is_message(s.here().op) && is_message(s.next().op); }},
        {swap, "a machine alone may receive later, or send earlier",
         [](spot const& s) { return is_message(s.here().op) && !s.everywhere; }},
        {swap, "one machine alone may wait for the ends of its messages in another order",
         [](spot const& s) { return only_waits(s.here()) && is_message(s.next().op) && !s.everywhere; }},
        {drop, "a message that is sent has been received, where channels hold nothing",
         [](spot const& s) { return of_own_message(s); }},
        {threshold_down, "likewise", [](spot const& s) { return of_own_message(s); }},
        {swap, "what is read last is this rank's own: others may know before",
         [](spot const& s) { return moves_data(s.here().op) && s.here().peer < 0 && s.next().op == signal; }},
        {swap, "slices of several ranks come in any order",
         [](spot const& s) {
             return is_one_of(s.here().op, {copy, unpack}) && is_one_of(s.next().op, {copy, unpack});
         }},
        {swap, "one rank alone may wait for the others before it tells them: no cycle closes",
         [](spot const& s) { return !s.everywhere && s.here().op == signal && only_waits(s.next()); }},
        {swap, "the last of several waits is not for the first step behind them",
         [](spot const& s) {
             return s.here().op == wait && (s.next().op == reduce || s.next().op == signal || s.next().op == copy);
         }},
        {swap, "others may know before this rank brings itself what it has made",
         [](spot const& s) { return s.here().op == signal && moves_data(s.next().op); }},
        {swap, "what a rank brings itself may come after the ends of its messages",
         [](spot const& s) {
             return is_one_of(s.here().op, {copy, reduce}) && s.here().peer < 0 && s.next().op == wait;
         }},
        {swap, "messages and the ends of others are independent",
         [](spot const& s) { return is_message(s.here().op) && only_waits(s.next()); }},
        {threshold_up, "what is not waited for comes no later", [](spot const& s) { return s.here().trigger == 0; }},
        {threshold_up, "a credit that comes an epoch later is one still", [](spot const& s) { return s.here().op == credit; }},
        {threshold_up, "a later piece proves this one", [](spot const& s) { return s.here().threshold < 0; }},
        {threshold_stride_up, "a later piece proves this one", [](spot const& s) { return s.here().threshold < 0; }},
        {swap, "what the last piece waits for may be waited for earlier",
         [](spot const& s) { return s.here().op == end_loop && only_waits(s.next()); }},
        {swap, "what has been waited for need not be waited for again, piece by piece",
         [](spot const& s) { return only_waits(s.here()) && s.next().op == loop; }},
        {no_signal, "the first piece of the next epoch tells of the last one",
         [](spot const& s) {
             return is_one_of(s.here().op, {unpack, reduce}) && s.here().value == 0 && s.sound.counters[s.here().signal].step > 1;
         }},
        {no_signal, "a later piece tells of this one", [](spot const& s) { return s.here().op == pack && s.here().value < 0; }},
        {drop, "a later piece tells of this one", [](spot const& s) { return s.here().op == signal && s.here().value < 0; }},
        {wrong_peer, "who is waited for is said for reports only", [](spot const& s) { return moves_data(s.here().op); }},
        {wrong_source, "what has been brought to another rank can be brought on from there",
         [](spot const& s) { return s.here().op == copy; }},
    };
}

} // namespace sode::internal::testing
