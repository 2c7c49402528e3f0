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

} // namespace sode::internal::testing
