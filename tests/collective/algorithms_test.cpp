// SPDX-License-Identifier: Apache-2.0
// Every algorithm of the catalogue is proven by verify(), for every collective that it can run: any number of ranks, any root, odd
// counts, ranks spread over machines in no regular way, in place and not; and a plan that is changed in one place is found wrong.
#include "harmless_changes.hpp"

#include "collective/catalogue.hpp"
#include "plan/combiners.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace sode::internal::testing {
namespace {

constexpr std::array kinds{collective_kind::barrier,   collective_kind::broadcast,      collective_kind::reduce,
                           collective_kind::allreduce, collective_kind::reduce_scatter, collective_kind::scan,
                           collective_kind::exscan};

std::string name_of(algorithm const& a, collective_terms const& t) {
    std::string list;
    for (int const m : t.machines.list()) list += fmt::format(" {}", m);
    return fmt::format("{} by {} over {} ranks, root {}, machines{}{}{}{}", t.title(), a.name(), t.ranks(), t.root, list,
                       t.shared_inputs ? ", shared inputs" : "", t.shared_outputs ? ", shared outputs" : "",
                       t.some_in_place ? ", in place" : "");
}

std::vector<plan> plans_of(algorithm const& a, collective_terms const& t) {
    std::vector<plan> plans;
    for (int r = 0; r < t.ranks(); ++r) plans.push_back(a.build(t, r));
    return plans;
}

std::vector<finding> findings_of(std::vector<plan> const& plans, collective_terms const& t, int epochs = 3) {
    std::vector<std::vector<array_model>> models;
    for (int r = 0; r < t.ranks(); ++r) models.push_back(collective_models(t, r));
    return verify(plans, models, {.epochs = epochs, .machines = t.machines.list()});
}

collective_terms terms_of(collective_kind kind, int ranks, std::int64_t elements, int root) {
    collective_terms t;
    t.machines = machine_map{ranks};
    t.kind = kind;
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = root;
    if (kind != collective_kind::barrier && elements > 0)
        t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, sode::internal::element::f64)}};
    if (kind == collective_kind::reduce_scatter)
        for (int r = 0; r < ranks; ++r) t.dealt.push_back(8 * (elements * (r + 1) / ranks - elements * r / ranks));
    return t;
}

int prove(collective_terms const& t) {
    int proven = 0;
    for (auto const* a : all_algorithms()) {
        if (!a->can(t)) continue;
        ++proven;
        for (auto const& f : findings_of(plans_of(*a, t), t)) ADD_FAILURE() << name_of(*a, t) << ": " << f.message;
    }
    EXPECT_GT(proven, 0) << t.title();
    return proven;
}

TEST(Terms, SharesOfAllAreThoseOfEach) {
    for (auto const kind : kinds)
        for (int const ranks : {1, 2, 5, 16})
            for (std::int64_t const elements : {0, 3, 40}) {
                auto const t = terms_of(kind, ranks, elements, ranks / 2);
                auto const all = t.shares();
                ASSERT_EQ(all.size(), static_cast<std::size_t>(ranks));
                for (int r = 0; r < ranks; ++r) {
                    auto const &s = all[static_cast<std::size_t>(r)], one = t.got_by(r);
                    EXPECT_EQ(std::tie(s.first, s.last, s.offset, s.bytes), std::tie(one.first, one.last, one.offset, one.bytes))
                        << t.title() << " of " << ranks << ", rank " << r;
                }
            }
}

TEST(Algorithms, AnyNumberOfRanks) {
    for (int ranks = 1; ranks <= 17; ++ranks)
        for (auto const kind : kinds)
            for (std::int64_t const elements : {1, 7, 40})
                for (bool const shared : {false, true}) {
                    auto t = terms_of(kind, ranks, elements, ranks / 2);
                    t.shared_inputs = t.shared_outputs = shared;
                    prove(t);
                    if (HasFailure()) return;
                }
}

TEST(Algorithms, ManyRanks) {
    for (int const ranks : {33, 67, 127})
        for (auto const kind : kinds) {
            if (ranks > 67 && kind != collective_kind::barrier && kind != collective_kind::broadcast) continue;
            auto t = terms_of(kind, ranks, 3, ranks - 1);
            t.shared_inputs = t.shared_outputs = true;
            prove(t);
            if (HasFailure()) return;
        }
}

TEST(Algorithms, AnyRoot) {
    for (int const ranks : {2, 3, 5, 8})
        for (int root = 0; root < ranks; ++root)
            for (auto const kind : {collective_kind::broadcast, collective_kind::reduce})
                for (std::int64_t const elements : {1, 9, 33}) {
                    auto t = terms_of(kind, ranks, elements, root);
                    t.shared_inputs = t.shared_outputs = root % 2 == 0;
                    prove(t);
                }
}

TEST(Algorithms, InPlace) {
    for (int const ranks : {1, 2, 3, 4, 7})
        for (auto const kind : kinds) {
            if (kind == collective_kind::barrier || kind == collective_kind::broadcast) continue;
            for (std::int64_t const elements : {1, 40})
                for (bool const shared : {false, true}) {
                    auto t = terms_of(kind, ranks, elements, 0);
                    t.shared_inputs = t.shared_outputs = shared;
                    t.some_in_place = true;
                    t.in_place.assign(static_cast<std::size_t>(ranks), kind != collective_kind::reduce);
                    t.in_place[0] = true;
                    prove(t);
                }
        }
}

TEST(Algorithms, LargeAmountsGoPieceByPiece) {
    for (int const ranks : {1, 2, 3, 5})
        for (auto const kind : kinds)
            for (std::int64_t const elements : {3 * 2048, 5 * 4096 + 3, 9 * 4096 + 1})
                for (bool const in_place : {false, true}) {
                    if (in_place && (kind == collective_kind::barrier || kind == collective_kind::broadcast)) continue;
                    auto t = terms_of(kind, ranks, elements, ranks - 1);
                    t.shared_inputs = t.shared_outputs = true;
                    t.some_in_place = in_place;
                    if (in_place) t.in_place.assign(static_cast<std::size_t>(ranks), true);
                    prove(t);
                    if (HasFailure()) return;
                }
}

TEST(Algorithms, NothingToDo) {
    for (int const ranks : {1, 2, 3})
        for (auto const kind : kinds) prove(terms_of(kind, ranks, 0, 0));
}

TEST(Algorithms, OverMachines) {
    for (auto const& machines : std::vector<std::vector<int>>{
             {0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1, 2}, {0, 0, 0, 1, 1, 2, 2, 2}, {0, 1, 2, 0, 1, 2, 3}, {0, 1, 2, 3, 4, 5, 6}})
        for (auto const kind : kinds)
            for (std::int64_t const elements : {1, 11}) {
                auto t = terms_of(kind, static_cast<int>(machines.size()), elements, static_cast<int>(machines.size()) / 2);
                t.machines = machine_map{machines};
                prove(t);
            }
}

TEST(Algorithms, OrderIsKeptForOperatorsThatDoNotCommute) {
    for (int const ranks : {2, 3, 6})
        for (auto const kind : {collective_kind::reduce, collective_kind::allreduce, collective_kind::reduce_scatter,
                                collective_kind::scan, collective_kind::exscan})
            for (bool const in_place : {false, true})
                for (bool const spread : {false, true}) {
                    auto t = terms_of(kind, ranks, 40, ranks - 1);
                    t.operators = {{.name = "after", .element_bytes = 16, .commutes = false}};
                    t.parts = {{16 * 20, user_combiners}};
                    if (kind == collective_kind::reduce_scatter)
                        for (int r = 0; r < ranks; ++r)
                            t.dealt[static_cast<std::size_t>(r)] = 16 * (20 * (r + 1) / ranks - 20 * r / ranks);
                    t.shared_inputs = t.shared_outputs = true;
                    t.some_in_place = in_place;
                    if (in_place) t.in_place.assign(static_cast<std::size_t>(ranks), true);
                    if (spread) t.machines = machine_map{std::vector<int>{0, 1, 0, 1, 2, 2}};
                    if (spread && ranks != 6) continue;
                    prove(t);
                }
}

TEST(Algorithms, SeveralPartsAndUnevenShares) {
    for (int const ranks : {1, 2, 4}) {
        auto t = terms_of(collective_kind::allreduce, ranks, 1, -1);
        t.parts = {{24, combiner(reduction::sum, sode::internal::element::f64)},
                   {8, combiner(reduction::max, sode::internal::element::i32)},
                   {64, combiner(reduction::min, sode::internal::element::f32)}};
        prove(t);
        auto s = terms_of(collective_kind::reduce_scatter, ranks, 12, -1);
        s.dealt.assign(static_cast<std::size_t>(ranks), 0);
        s.dealt.back() = 96;
        s.shared_inputs = true;
        prove(s);
    }
}

TEST(Algorithms, WhatIsChangedIsFound) {
    for (int const ranks : {2, 3, 4})
        for (auto const kind : kinds)
            for (auto const* a : all_algorithms()) {
                auto t = terms_of(kind, ranks, 32, 1);
                t.shared_inputs = t.shared_outputs = true;
                if (!t.machines.one()) continue;
                if (!a->can(t) || a->name() == "over-machines") t.machines = machine_map{std::vector<int>{0, 1, 1, 2}};
                if (!t.parts.empty() && kind != collective_kind::broadcast) {
                    t.operators = {{.name = "after", .element_bytes = 8, .commutes = false}};
                    t.parts[0].combiner = user_combiners;
                }
                if (t.ranks() != ranks || !a->can(t) || kind == collective_kind::barrier) continue; // a barrier delivers nothing
                std::vector<std::vector<array_model>> models;
                for (int r = 0; r < t.ranks(); ++r) models.push_back(collective_models(t, r));
                auto const result = try_mutations(plans_of(*a, t), models, harmless_changes(), 8, {}, t.machines.list());
                for (auto const& s : result.survivors) ADD_FAILURE() << name_of(*a, t) << ": not found: " << s;
            }
}

// Elements as long as pages, so that there are few pieces to look after: three chunks that have two stages in turn, seven that
// have four, and eight that go twice around a ring of four.
TEST(Algorithms, WhatIsChangedInAPipelineIsFound) {
    constexpr std::int64_t element = 4096;
    for (int const ranks : {2, 3})
        for (auto const kind : {collective_kind::broadcast, collective_kind::reduce})
            for (std::int64_t const elements : {5, 13, 57})
                for (bool const in_place : {false, true}) {
                    if (in_place && kind == collective_kind::broadcast) continue;
                    auto t = terms_of(kind, ranks, 1, 1);
                    bool const combines = kind == collective_kind::reduce;
                    t.parts = {{element * elements, combines ? user_combiners : 0}};
                    if (combines) t.operators = {{.name = "after", .element_bytes = element, .commutes = false}};
                    t.some_in_place = in_place;
                    if (in_place) t.in_place = {false, true, false};
                    t.in_place.resize(in_place ? static_cast<std::size_t>(ranks) : 0);
                    ASSERT_TRUE(algorithms::pipelined.can(t));
                    auto const plans = plans_of(algorithms::pipelined, t);
                    for (auto const& f : findings_of(plans, t, 5))
                        ADD_FAILURE() << name_of(algorithms::pipelined, t) << ": " << f.message;
                    std::vector<std::vector<array_model>> models;
                    for (int r = 0; r < ranks; ++r) models.push_back(collective_models(t, r));
                    auto const result = try_mutations(plans, models, harmless_changes(), element, {}, t.machines.list());
                    for (auto const& s : result.survivors)
                        ADD_FAILURE() << name_of(algorithms::pipelined, t) << ": not found: " << s;
                }
}

} // namespace
} // namespace sode::internal::testing
