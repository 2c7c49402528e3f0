// SPDX-License-Identifier: Apache-2.0
#include "collective/plan_collective.hpp"

#include "collective/catalogue.hpp"
#include "collective/leaders.hpp"
#include "model/checked_plan.hpp"
#include "model/engine_choice.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

namespace sode::internal {
namespace {

// What was chosen, for explain(): one line for what each of the others gives.
void note(plan& p, collective_terms const& t, chosen_algorithm const& chosen, bool forced) {
    auto const share = t.got_by(p.rank);
    for (int r = share.first; r < share.last; ++r)
        if (r != p.rank)
            p.notes.push_back({.peer = r,
                               .kind = pattern::contiguous,
                               .rows = 1,
                               .row_bytes = share.bytes,
                               .chosen = chosen.best->name(),
                               .expected = chosen.expected,
                               .runner_up = chosen.runner_up ? chosen.runner_up->name() : std::string_view{},
                               .instead = chosen.instead,
                               .forced = forced});
}

// Whoever chose an engine by name keeps it.
context with_engine(detail::job& j, std::optional<double> overlap) {
    auto around = j.surroundings();
    if (!overlap || j.settings.engine != "auto" || !around.engines) return around;
    around.worth_engines = bytes_worth_an_engine(j.costs, *overlap);
    if (*overlap == 0) around.engines = nullptr;
    return around;
}

} // namespace

std::unique_ptr<prepared> prepare_collective(detail::job& j, collective_terms const& terms, collective_memory memory,
                                             std::string_view forced, std::vector<plan_calls::combiner> operators) {
    auto const chosen = choose_algorithm(terms, forced);
    auto shared = terms;
    shared.leaders = chosen.leaders;
    auto steps = checked_plan(
        j, [&](int r) { return build_by_leaders(*chosen.best, shared, r); }, [&](int r) { return collective_models(terms, r); },
        "the output of dump(\"json\")");
    note(steps, terms, chosen, !forced.empty());
    if (chosen.leaders > 1) steps.name += fmt::format(" by {} leaders of a machine", chosen.leaders);
    leader_shares shares{shared};
    auto const& share = chosen.leaders > 1 ? shares.of(chosen.leaders, chosen.leaders - 1) : shared;
    if (auto const piece = chosen.best->piece(share); piece > 0) steps.name += fmt::format(" in pieces of {} bytes", piece);
    std::array<bound_array, 2> const places{
        {{{memory.input, nullptr}, terms.shared_inputs}, {{memory.output, nullptr}, terms.shared_outputs}}};
    return std::make_unique<prepared>(
        std::move(steps), with_engine(j, terms.overlap),
        plan_terms{.arrays = places, .fingerprint = shared.fingerprint(), .operators = std::move(operators)});
}

} // namespace sode::internal
