// SPDX-License-Identifier: Apache-2.0
#include "collective/catalogue.hpp"

#include "collective/leaders.hpp"
#include "model/distance.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

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
    if (t.distances.farthest_ns() <= half_way_ns) return distance::near;
    for (int a = 0; a < t.ranks(); ++a)
        for (int b = 0; b < a; ++b)
            if (t.apart(a, b) == distance::far) return distance::far;
    return distance::near;
}

// Of what rounds, the number of leaders may be part of the order: then it is not the model's.
struct leader_numbers {
    int first = 1;
    int last = 0; // first, 2 * first, ... up to this

    leader_numbers(algorithm const& a, collective_terms const& t, leader_shares& shares, int forced) {
        constexpr int most = 16;
        if (forced > 0)
            first = forced, last = forced <= shares.most(a) ? forced : 0;
        else
            last = t.pretended || (a.regroups(t) && !t.exact()) ? 1 : std::min(shares.most(a), most);
    }
};

// What a user asks for: "ring", ":4", "ring:4".
struct wish {
    std::string_view algorithm;
    int leaders = 0; // 0: the model chooses

    wish(std::string_view text, collective_terms const& t) : algorithm(text.substr(0, text.find(':'))) {
        if (algorithm.size() == text.size()) return;
        auto const* const end = text.data() + text.size();
        auto const read = std::from_chars(text.data() + algorithm.size() + 1, end, leaders);
        if (read.ec != std::errc{} || read.ptr != end || leaders < 1)
            throw error{error_kind::usage, fmt::format("{} cannot use algorithm {}", t.title(), text),
                        "the number after the colon is the number of leaders on each machine, 1 or more", "write ring:4, or ring"};
    }
};

class choosing {
public:
    choosing(collective_terms const& t, int leaders) : terms_(t), shares_(terms_), leaders_(leaders), apart_(widest(t)) {}

    void look_at(algorithm const& a) {
        expense least;
        int by = 0;
        leader_numbers const of{a, terms_, shares_, leaders_};
        for (int leaders = of.first; leaders <= of.last; leaders *= 2) {
            auto const cost = shares_.cost(a, leaders, apart_);
            if (by == 0 || cost.total() < least.total()) least = cost, by = leaders;
        }
        if (by == 0) return;
        if (!found_.best || least.total() < found_.expected.total()) {
            found_ = {.best = &a, .expected = least, .runner_up = found_.best, .instead = found_.expected, .leaders = by};
        } else if (!found_.runner_up || least.total() < found_.instead.total()) {
            found_.runner_up = &a;
            found_.instead = least;
        }
    }
    [[nodiscard]] chosen_algorithm found() const {
        if (found_.best) return found_;
        throw error{error_kind::usage, fmt::format("{} cannot have {} leaders", terms_.title(), leaders_),
                    "leaders are the ranks on a machine that exchange data with other machines; each sends a share of the bytes",
                    "use at most as many leaders as a machine has ranks, or let the library choose"};
    }

private:
    collective_terms const& terms_;
    leader_shares shares_;
    int leaders_;
    distance apart_;
    chosen_algorithm found_;
};

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
    wish const asked{forced, t};
    choosing among{t, asked.leaders};
    if (asked.algorithm.empty()) {
        for (auto const* a : list())
            if (a->can(t) && (!a->regroups(t) || t.exact())) among.look_at(*a);
        return among.found();
    }
    auto const* const wanted = algorithm_named(asked.algorithm);
    if (!wanted)
        throw error{error_kind::usage, fmt::format("{} cannot use algorithm {}", t.title(), asked.algorithm),
                    asked.algorithm == "bruck" ? "bruck is for allgather and alltoall only" : "there is no such algorithm",
                    fmt::format("the algorithms are {}", names_of_algorithms())};
    if (!wanted->can(t)) {
        std::string others;
        for (auto const* a : list())
            if (a->can(t)) others += (others.empty() ? "" : ", ") + std::string{a->name()};
        throw error{error_kind::usage, fmt::format("{} cannot use algorithm {}", t.title(), asked.algorithm),
                    "the algorithm does not support this operation, this number of bytes, this placement of ranks, or memory that "
                    "other ranks "
                    "cannot read",
                    fmt::format("use one of {}, or let the library choose", others)};
    }
    among.look_at(*wanted);
    return among.found();
}

} // namespace sode::internal
