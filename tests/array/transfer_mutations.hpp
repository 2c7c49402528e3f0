// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/mutations.hpp"

namespace sode::internal::testing {

/// Changes of a plan of transfers after which it still does what it should, and why.
inline std::vector<harmless> harmless_to_transfers() {
    using enum mutation_kind;
    auto const is = [](operation a, operation b) { return [a, b](spot const& s) { return s.here().op == a && s.next().op == b; }; };
    auto const moves = [](descriptor const& d) { return testing::detail::moves_data(d) && d.trigger == 0 && d.signal == 0; };
    auto const waits = [](descriptor const& d) { return d.op == operation::wait || d.op == operation::credit; };
    return {{repeat, "what has been waited for need not be waited for again", [=](spot const& s) { return waits(s.here()); }},
            {swap, "pieces that are copied between the same two events may be copied in any order",
             [=](spot const& s) { return moves(s.here()) && moves(s.next()) && s.here().op == s.next().op; }},
            {swap, "an epoch ends when both have come", is(operation::credit, operation::credit)},
            {swap, "what is published is not what is written", is(operation::signal, operation::copy)},
            {swap, "the others still acknowledge before they wait: no cycle closes", is(operation::signal, operation::credit)}};
}

/// The same where one message carries what goes from one machine to another, and as much comes back.
inline std::vector<harmless> harmless_to_machine_messages() {
    std::vector<harmless> known{
        {mutation_kind::wrong_peer, "whose message is waited for is said for people",
         [](spot const& s) { return s.here().op == operation::wait && s.sound.counters[s.here().trigger].writer == s.sound.rank; }},
        {mutation_kind::swap, "where as much comes back, what comes back proves that it is unpacked",
         [](spot const& s) { return s.here().op == operation::unpack && s.next().op == operation::signal; }},
        {mutation_kind::swap, "what is packed next is not what they have been told of",
         [](spot const& s) { return s.here().op == operation::signal && s.next().op == operation::pack; }}};
    for (auto kind : {mutation_kind::drop, mutation_kind::swap, mutation_kind::threshold_up, mutation_kind::threshold_down})
        known.push_back({kind, "where as much comes back, what comes back proves that the place is free",
                         [](spot const& s) { return s.here().op == operation::credit; }});
    return known;
}

} // namespace sode::internal::testing
