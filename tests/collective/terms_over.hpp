// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collective/catalogue.hpp"
#include "collective/leaders.hpp"
#include "plan/combiners.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace sode::internal::testing {

inline collective_terms terms_over(collective_kind kind, std::vector<int> const& machines, std::int64_t elements, int root) {
    collective_terms t;
    t.machines = machine_map{machines};
    t.kind = kind;
    auto const ranks = static_cast<int>(machines.size());
    t.subcluster = 2 + ranks % 5; // the last one may be smaller
    if (kind == collective_kind::broadcast || kind == collective_kind::reduce) t.root = root;
    if (kind != collective_kind::barrier)
        t.parts = {{8 * elements, kind == collective_kind::broadcast ? 0 : combiner(reduction::sum, element::i64)}};
    if (kind == collective_kind::reduce_scatter)
        for (int r = 0; r < ranks; ++r) t.dealt.push_back(8 * (elements * (r + 1) / ranks - elements * r / ranks));
    return t;
}

/// What all ranks do, by t.leaders, is proven in three skewed epochs.
inline void prove_one(algorithm const& a, collective_terms const& t) {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
    for (int r = 0; r < t.ranks(); ++r) {
        plans.push_back(build_by_leaders(a, t, r));
        models.push_back(collective_models(t, r));
    }
    std::string where;
    for (int const m : t.machines.list()) where += fmt::format(" {}", m);
    for (auto const& f : verify(plans, models, {.epochs = 3, .most_findings = 2, .machines = t.machines.list()}))
        ADD_FAILURE() << t.title() << " by " << a.name() << ", root " << t.root << ", leaders " << t.leaders << ", machines"
                      << where << ": " << f.message;
}

inline std::vector<int> one_rank_each(int machines) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m) list.push_back(m);
    return list;
}

// Each machine has some ranks; in order, or as it comes.
inline std::vector<int> irregular(int machines, std::mt19937& random, bool in_order) {
    std::vector<int> list;
    for (int m = 0; m < machines; ++m)
        for (auto n = 1 + random() % 3; n > 0; --n) list.push_back(m);
    if (in_order) return list;
    std::shuffle(list.begin(), list.end(), random);
    std::vector<int> names(static_cast<std::size_t>(machines), -1);
    int next = 0;
    for (int& m : list) {
        auto& name = names[static_cast<std::size_t>(m)];
        if (name < 0) name = next++;
        m = name;
    }
    return list;
}

} // namespace sode::internal::testing
