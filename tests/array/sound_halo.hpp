// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"

#include "array/dry_exchange.hpp"
#include "array/transfer_mutations.hpp"
#include "support/all_ranks.hpp"
#include "support/found_mutations.hpp"

#include <gtest/gtest.h>

#include <numeric>

/// Plans of halo exchanges of ranks that need not exist, all at once, held against verify().
namespace sode::internal::testing {

inline all_ranks build(halo_spec const& spec) {
    return {spec.ranks(), [&](int r) { return build_halo(spec, r); }, [&](int r) { return halo_models(spec, r); },
            spec.machines.list()};
}

inline void expect_sound(halo_spec const& spec, std::string const& label) {
    build(spec).expect_sound(label);
}

inline bool only_waits(descriptor const& d) {
    return d.op == operation::wait || d.op == operation::credit;
}

inline std::vector<harmless> known_harmless() {
    using enum mutation_kind;
    auto const is = [](operation a, operation b) { return [a, b](spot const& s) { return s.here().op == a && s.next().op == b; }; };
    auto const moves = [](descriptor const& d) { return testing::detail::moves_data(d) && d.trigger == 0 && d.signal == 0; };
    return {{repeat, "what has been waited for need not be waited for again", [](spot const& s) { return only_waits(s.here()); }},
            {swap, "boxes that are copied between the same two events may be copied in any order",
             [=](spot const& s) { return moves(s.here()) && moves(s.next()) && s.here().op == s.next().op; }},
            {swap, "an epoch ends when both have come", is(operation::credit, operation::credit)},
            {swap, "two publications of one rank", is(operation::signal, operation::signal)},
            {swap, "messages of different ranks, or in different directions, begin in any order",
             [](spot const& s) {
                 auto const &a = s.here(), &b = s.next();
                 return is_message(a.op) && is_message(b.op) && (a.op != b.op || a.peer != b.peer || a.argument != b.argument);
             }},
            {swap, "two messages that are over", is(operation::wait, operation::wait)}};
}

inline void expect_all_found(dry_exchange const& x, std::vector<std::size_t> const& ranks, std::vector<harmless> const& more = {}) {
    expect_mutations_found(build(x.spec), known_harmless(), more, ranks);
}

// A machine for each rank.
inline std::vector<int> each_alone(int ranks) {
    std::vector<int> machine_of(static_cast<std::size_t>(ranks));
    std::iota(machine_of.begin(), machine_of.end(), 0);
    return machine_of;
}

} // namespace sode::internal::testing
