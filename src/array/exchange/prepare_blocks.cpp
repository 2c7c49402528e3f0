// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/prepare_blocks.hpp"

#include "array/exchange/told_ends.hpp"
#include "collective/bruck.hpp"
#include "model/checked_plan.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>

namespace sode::internal {
namespace {

// All ranks find the same, or none finds anything.
std::optional<block_shape> agreed_shape(detail::job& j, std::optional<block_shape> const& mine, std::string_view name) {
    call_reason const reason{j.waits.get(), fmt::format("during planning of {}", name)};
    auto const bytes = mine ? static_cast<std::uint64_t>(mine->bytes) : 0;
    std::array<std::uint64_t, 4> maxima{mine ? 0U : 1U, bytes, ~bytes, mine && mine->kind == block_kind::alltoall ? 1U : 0U};
    j.ranks->boot().combine(maxima, {});
    if (maxima[0] != 0 || maxima[1] != ~maxima[2]) return {};
    return block_shape{maxima[3] != 0 ? block_kind::alltoall : block_kind::allgather, static_cast<std::int64_t>(maxima[1])};
}

[[noreturn]] void refuse(std::string_view name, std::string_view why, std::string_view hint) {
    throw error{error_kind::usage, fmt::format("{} cannot use algorithm bruck", name), why, hint};
}

void note(plan& p, block_terms const& t, chosen_blocks const& chosen, bool forced) {
    for (int r = 0; r < t.ranks(); ++r)
        if (r != p.rank)
            p.notes.push_back({.peer = r,
                               .rows = 1,
                               .row_bytes = t.bytes,
                               .chosen = "bruck",
                               .expected = chosen.expected,
                               .runner_up = "mpi",
                               .instead = chosen.instead,
                               .forced = forced});
}

} // namespace

std::unique_ptr<prepared> prepare_blocks(detail::job& j, exchange_terms const& terms, own_ends const& mine, bool can,
                                         std::optional<bruck_wish> const& wish) {
    bool const may = wish ? !terms.machines.one() : terms.may_combine_machines();
    if (!may) {
        if (wish) refuse(terms.name, "all ranks are on one machine", "omit the option `algorithm`");
        return {};
    }
    int const rank = j.ranks->rank(), ranks = terms.ranks();
    auto const shape = agreed_shape(j, can ? block_shape_of(mine.told, rank, ranks) : std::optional<block_shape>{}, terms.name);
    if (!shape && wish)
        refuse(terms.name, "bruck requires an allgather or alltoall with equal blocks, in which every rank can take part",
               "let the library choose");
    if (!shape) return {};
    block_terms t{terms};
    t.kind = shape->kind;
    t.bytes = shape->bytes;
    auto const chosen = choose_blocks(t, wish);
    if (!chosen.bruck) return {};
    exchange_spec spec;
    if (j.settings.check.plan) spec.ends = tell_ends(j.ranks->boot(), mine.told, {});
    spec.ends[rank] = mine.told;
    for (auto const& [r, ends] : spec.ends) t.blocks[r] = blocks_of(ends, t.kind, ranks);
    auto steps = checked_plan(
        j, [&](int r) { return plan_bruck(t, r); }, [&](int r) { return exchange_models(spec, r); },
        "the output of dump(\"json\")");
    note(steps, t, chosen, wish.has_value());
    steps.name +=
        fmt::format(" by radix {}{}", t.radix, t.leaders > 1 ? fmt::format(" and {} leaders of a machine", t.leaders) : "");
    return std::make_unique<prepared>(std::move(steps), j.surroundings(),
                                      plan_terms{.arrays = mine.places, .fingerprint = t.fingerprint()});
}

} // namespace sode::internal
