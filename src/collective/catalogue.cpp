// SPDX-License-Identifier: Apache-2.0
#include "collective/catalogue.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <array>

namespace sode::internal {
namespace {

#define SODE_LIST_ALGORITHM(NAME) &algorithms::NAME,
std::span<algorithm const* const> list() noexcept {
    static std::array const all{SODE_ALGORITHMS(SODE_LIST_ALGORITHM)};
    return all;
}
#undef SODE_LIST_ALGORITHM

distance widest(collective_terms const& t) {
    if (!t.machines.one()) return distance::other_machine;
    for (int a = 0; a < t.ranks(); ++a)
        for (int b = 0; b < a; ++b)
            if (t.apart(a, b) == distance::far) return distance::far;
    return distance::near;
}

} // namespace

std::span<algorithm const* const> all_algorithms() noexcept {
    return list();
}

algorithm const* algorithm_named(std::string_view name) noexcept {
    for (auto const* a : list())
        if (a->name() == name) return a;
    return nullptr;
}

std::string names_of_algorithms() {
    std::string text;
    for (auto const* a : list()) {
        if (!text.empty()) text += a == list().back() ? " and " : ", ";
        text += a->name();
    }
    return text;
}

chosen_algorithm choose_algorithm(collective_terms const& t, std::string_view forced) {
    auto const apart = widest(t);
    if (!forced.empty()) {
        auto const* const wanted = algorithm_named(forced);
        if (!wanted)
            throw error{error_kind::usage, fmt::format("{} cannot run by algorithm {}", t.title(), forced),
                        "there is no such algorithm", fmt::format("the algorithms are {}", names_of_algorithms())};
        if (!wanted->can(t)) {
            std::string others;
            for (auto const* a : list())
                if (a->can(t)) others += (others.empty() ? "" : ", ") + std::string{a->name()};
            throw error{error_kind::usage, fmt::format("{} cannot run by algorithm {}", t.title(), forced),
                        "it does not support this operation, these machines, or memory that other ranks cannot load",
                        fmt::format("use one of {}, or let the library choose", others)};
        }
        return {.best = wanted, .expected = wanted->cost(t, apart)};
    }
    chosen_algorithm found;
    for (auto const* a : list()) {
        if (!a->can(t) || (a->regroups(t) && !t.exact())) continue;
        auto const cost = a->cost(t, apart);
        if (!found.best || cost.total() < found.expected.total()) {
            found.runner_up = found.best;
            found.instead = found.expected;
            found.best = a;
            found.expected = cost;
        } else if (!found.runner_up || cost.total() < found.instead.total()) {
            found.runner_up = a;
            found.instead = cost;
        }
    }
    return found;
}

} // namespace sode::internal
