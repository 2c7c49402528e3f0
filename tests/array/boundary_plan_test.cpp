// SPDX-License-Identifier: Apache-2.0
// Plans of exchanges with boundary conditions, forward and in reverse, all ranks at once, held against verify(); and whether
// verify() would notice a mistake in their steps.
#include "array/dry_exchange.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/halo/reverse_plan.hpp"
#include "support/all_ranks.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

namespace sode::internal::testing {
namespace {

using sode::detail::wall_kind;
using sode::detail::wall_rule;

all_ranks forward(halo_spec const& spec) {
    return {spec.ranks(), [&](int r) { return build_halo(spec, r); }, [&](int r) { return halo_models(spec, r); },
            spec.machines.list()};
}

wall_rule rule_of(wall_kind kind, index_t element, index_t depth = 1, bool negative = false) {
    wall_rule r{.kind = kind, .negative = negative, .comparable = true, .depth = depth};
    if (kind == wall_kind::constant) r.value.assign(static_cast<std::size_t>(element), std::byte{7});
    return r;
}

void give_walls(halo_spec& spec, generator& g) {
    for (auto& f : spec.fields) {
        f.element = f.shape->element_bytes == 8 ? sode::detail::code_of<double>() : sode::detail::code_of<float>();
        auto all = std::make_shared<sode::detail::walls>();
        for (int d = 0; d < f.shape->dims; ++d)
            for (auto& side : (*all)[static_cast<std::size_t>(d)]) {
                if (spec.periodic[static_cast<std::size_t>(d)]) continue;
                constexpr std::array kinds{wall_kind::untouched, wall_kind::constant,        wall_kind::nearest,
                                           wall_kind::mirror,    wall_kind::mirror_at_point, wall_kind::computed};
                side.push_back(rule_of(kinds[static_cast<std::size_t>(pick(g, 0, 5))], f.shape->element_bytes, 1, chance(g, 50)));
            }
        f.walls = all;
        try {
            spec.check();
        } catch (error const&) { // blocks as thin as the halo: no mirror through a point
            for (auto& sides : *all)
                for (auto& side : sides)
                    for (auto& r : side)
                        if (r.kind == wall_kind::mirror_at_point) r.kind = wall_kind::mirror;
        }
    }
    spec.check();
}

TEST(boundary_plan, random_exchanges_are_sound_both_ways) {
    for (int ranks : {1, 2, 3, 4, 6, 8, 27})
        for (int c = 0; c < (ranks > 8 ? 3 : 24) && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(15485863 * ranks + c)};
            way const* const forced[] = {nullptr,          &ways::pull, &ways::stage,      &ways::stage_wide, &ways::stage_chunks,
                                         &ways::reference, &ways::mpi,  &ways::mpi_machine};
            auto x = random_exchange(g, ranks, forced[c % 8], false);
            x.spec.costs.chunk_bytes = pick(g, 1, 200);
            give_walls(x.spec, g);
            auto const label = fmt::format("{} ranks, case {}", ranks, c);
            forward(x.spec).expect_sound(label);
            reverse_spec back{.halo = &x.spec, .op = reduction::sum, .elements = {}};
            for (auto const& f : x.spec.fields) back.elements.push_back(static_cast<element>(f.element));
            all_ranks{ranks, [&](int r) { return build_reverse(back, r); }, [&](int r) { return reverse_models(back, r); },
                      x.spec.machines.list()}
                .expect_sound("reverse, " + label);
        }
}

// Two by two ranks, corners, a condition of each kind.
dry_exchange box_with_walls(way const* forced, bool buffered) {
    auto x = cube(4, {2, 2}, buffered, forced);
    x.spec.periodic = {};
    auto all = std::make_shared<sode::detail::walls>();
    (*all)[0] = {sode::detail::wall{rule_of(wall_kind::mirror, 8, 1, true)}, sode::detail::wall{rule_of(wall_kind::constant, 8)}};
    (*all)[1] = {sode::detail::wall{rule_of(wall_kind::computed, 8)}, sode::detail::wall{rule_of(wall_kind::nearest, 8)}};
    x.spec.fields.front().walls = all;
    x.spec.fields.front().element = sode::detail::code_of<double>();
    x.spec.check();
    return x;
}

void expect_all_found(dry_exchange const& x, std::vector<harmless> const& more = {}) {
    using enum mutation_kind;
    auto const a = forward(x.spec);
    auto const is = [](operation o, operation p) { return [o, p](spot const& s) { return s.here().op == o && s.next().op == p; }; };
    std::vector<harmless> known{{repeat, "what has been waited for need not be waited for again",
                                 [](spot const& s) { return s.here().op == operation::wait || s.here().op == operation::credit; }},
                                {swap, "two arrivals that are both waited for", is(operation::wait, operation::wait)},
                                {swap, "an epoch ends when both have come", is(operation::credit, operation::credit)},
                                {swap, "two publications of one rank", is(operation::signal, operation::signal)}};
    auto const fills = [](descriptor const& d) {
        return d.trigger == 0 && d.signal == 0 && (moves_data(d.op) || d.op == operation::call);
    };
    auto const last = [](spot const& s) { return s.stream() + 1U == s.sound.streams.size(); };
    known.push_back({swap, "what lies beside different neighbours may be filled in any order",
                     [=](spot const& s) { return last(s) && fills(s.here()) && fills(s.next()); }});
    known.push_back({swap, "the first to be filled does not lie beside the last that is waited for",
                     [=](spot const& s) { return last(s) && s.here().op == operation::wait && fills(s.next()); }});
    known.push_back({swap, "neighbours are told of what is inside",
                     [=](spot const& s) { return s.stream() == 0 && s.here().op == operation::signal && fills(s.next()); }});
    known.push_back({swap, "a neighbour is told before or after this rank tells itself", is(operation::signal, operation::credit)});
    known.insert(known.end(), more.begin(), more.end());
    auto const result = try_mutations(a.plans, a.models, known, 8, {0, 3});
    EXPECT_GT(result.tried, 0U);
    for (auto const& s : result.survivors) ADD_FAILURE() << "not found: " << s;
    for (auto const& s : result.refuted) ADD_FAILURE() << "not harmless: " << s;
}

TEST(boundary_plan, every_mistake_in_the_steps_of_sides_is_found) {
    expect_all_found(box_with_walls(&ways::pull, false));
    expect_all_found(box_with_walls(&ways::pull, true));
}

} // namespace
} // namespace sode::internal::testing
