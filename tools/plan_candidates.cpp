// SPDX-License-Identifier: Apache-2.0
#include "plan_candidates.hpp"

#include "base/nearest.hpp"
#include "collective/block_catalogue.hpp"
#include "collective/block_pairs.hpp"
#include "collective/bruck.hpp"
#include "collective/catalogue.hpp"
#include "collective/leaders.hpp"
#include "plan/combiners.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <variant>

namespace sode::internal::tools {
namespace {

constexpr int most_ranks_in_pairs = 1024; // each knows of the messages of all others

using any_kind = std::variant<collective_kind, block_kind>;

any_kind kind_of(std::string const& name) {
    constexpr std::array kinds{collective_kind::barrier,   collective_kind::broadcast,      collective_kind::reduce,
                               collective_kind::allreduce, collective_kind::reduce_scatter, collective_kind::scan,
                               collective_kind::exscan};
    std::vector<std::string_view> names;
    for (auto const k : kinds) {
        if (to_string(k) == name) return k;
        names.push_back(to_string(k));
    }
    for (auto const k : {block_kind::allgather, block_kind::alltoall}) {
        if (to_string(k) == name) return k;
        names.push_back(to_string(k));
    }
    auto const near = nearest(name, names);
    throw error{error_kind::usage, fmt::format("there is no collective \"{}\"", name), "",
                near.empty() ? fmt::format("write one of {}", fmt::join(names, ", ")) : fmt::format("did you mean {}?", near)};
}

void describe(exchange_terms& t, planned_collective const& what, profile const& costs) {
    std::vector<int> of;
    for (int r = 0; r < what.machines * what.ranks; ++r) of.push_back(r / what.ranks);
    t.machines = machine_map{of};
    t.costs = costs;
    t.name = what.collective;
    t.torus = what.torus;
    t.subcluster = what.subcluster;
}

plan_candidates by_algorithms(collective_kind kind, planned_collective const& what, profile const& costs, std::string_view forced) {
    auto const t = std::make_shared<collective_terms>();
    describe(*t, what, costs);
    t->kind = kind;
    t->proofs = false;
    auto const elements = (what.bytes + 7) / 8;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t->root = 0;
    if (kind != collective_kind::barrier)
        t->parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    if (kind == collective_kind::reduce_scatter)
        for (std::int64_t r = 0; r < t->ranks(); ++r)
            t->dealt.push_back(8 * (elements * (r + 1) / t->ranks() - elements * r / t->ranks()));
    plan_candidates all{.title = t->title(), .machines = t->machines, .bytes = t->bytes()};
    auto const chosen = choose_algorithm(*t, forced);
    for (auto const* a : all_algorithms()) {
        if (!a->can(*t)) continue;
        bool const best = a == chosen.best;
        auto by = *t;
        by.leaders = best ? chosen.leaders : choose_algorithm(*t, a->name()).leaders;
        all.list.push_back({.name = std::string{a->name()},
                            .leaders = by.leaders,
                            .chosen = best,
                            .build = [a, leaders = by.leaders, t](int rank) {
                                if (t->leaders != leaders) t->leaders = leaders;
                                return build_by_leaders(*a, *t, rank);
                            }});
    }
    return all;
}

// A message for each pair of ranks, or of machines.
plan_candidate in_pairs(std::shared_ptr<block_terms const> const& of, bool together) {
    struct both {
        explicit both(block_terms terms) : t(std::move(terms)) {}

        block_terms t;
        std::optional<block_pairs> pairs{};
    };
    auto const b = std::make_shared<both>(*of);
    if (together) b->t.forced = &ways::mpi_machine;
    auto const ranks = of->ranks();
    return {.name = std::string{(together ? ways::mpi_machine : ways::mpi).name()},
            .refuses = ranks > most_ranks_in_pairs ? fmt::format("{} ranks have too many pairs", ranks) : "",
            .build = [b, together](int rank) {
                if (!b->pairs) b->pairs.emplace(b->t, together);
                return plan_pairs(*b->pairs, rank);
            }};
}

plan_candidate by_bruck(block_terms const& of) {
    auto const t = std::make_shared<block_terms>(of);
    return {.name = fmt::format("bruck:{}", t->radix), .leaders = t->leaders, .build = [t](int rank) {
                t->blocks.clear();
                t->blocks.emplace(rank, blocks_in_order(*t, rank));
                return plan_bruck(*t, rank);
            }};
}

plan_candidates of_blocks(block_kind kind, planned_collective const& what, profile const& costs, std::string_view forced) {
    auto const t = std::make_shared<block_terms>();
    describe(*t, what, costs);
    t->kind = kind;
    t->bytes = std::max<std::int64_t>(what.bytes, 1);
    plan_candidates all{
        .title = fmt::format("{} of {} bytes", what.collective, t->bytes), .machines = t->machines, .bytes = t->bytes};
    all.list.push_back(in_pairs(t, false));
    if (t->machines.one()) {
        all.list.front().chosen = true;
        return all;
    }
    all.list.push_back(in_pairs(t, true));
    auto const wish = bruck_wish_of(forced);
    bool pairs_wanted = false;
    for (auto& c : all.list) pairs_wanted |= c.chosen = c.name == forced;
    if (!forced.empty() && !wish && !pairs_wanted)
        throw error{error_kind::usage, fmt::format("{} cannot use algorithm {}", all.title, forced),
                    "there is no such algorithm for this collective",
                    "write mpi, mpi-machine, bruck, bruck:4 (radix), or bruck:4:2 (radix and leaders)"};
    auto best = *t;
    auto const chosen = choose_blocks(best, wish); // of pairs, the model goes by a message for each
    std::vector<int> radices{2, 4, 8, 16, what.machines, best.radix};
    std::ranges::sort(radices);
    radices.erase(std::unique(radices.begin(), radices.end()), radices.end());
    for (int const radix : radices) {
        auto by = best;
        if (radix > what.machines && radix != best.radix) continue;
        if (radix != best.radix) choose_bruck(by, radix);
        all.list.push_back(by_bruck(by));
        all.list.back().chosen = radix == best.radix && chosen.bruck && !pairs_wanted;
    }
    if (!pairs_wanted && !chosen.bruck) all.list.front().chosen = true;
    return all;
}

} // namespace

plan_candidate const& plan_candidates::chosen() const {
    return *std::ranges::find(list, true, &plan_candidate::chosen);
}

plan_candidates candidates_for(planned_collective const& what, profile const& costs, std::string_view forced) {
    auto const kind = kind_of(what.collective);
    if (auto const* const blocks = std::get_if<block_kind>(&kind)) return of_blocks(*blocks, what, costs, forced);
    return by_algorithms(std::get<collective_kind>(kind), what, costs, forced);
}

} // namespace sode::internal::tools
