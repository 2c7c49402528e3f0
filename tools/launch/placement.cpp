// SPDX-License-Identifier: Apache-2.0
#include "launch/placement.hpp"

#include "base/topology.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal::tools {

namespace {

// By turns.
std::vector<processor_set> one_each(processor_set const& list, int places_wanted, processor_set const& usable) {
    std::vector<int> const numbers = list.numbers();
    for (int const p : numbers)
        if (!usable.contains(p))
            throw error{error_kind::usage, fmt::format("processor {} cannot be used", p),
                        fmt::format("this process may use {}", usable.to_string()), "choose some of these with --cores"};
    std::vector<processor_set> places(static_cast<std::size_t>(places_wanted));
    for (std::size_t r = 0; r < places.size(); ++r) places[r].insert(numbers[r % numbers.size()]);
    return places;
}

// Each `threads` consecutive places, which lie close together, as one.
std::vector<processor_set> together(std::vector<processor_set> const& places, int threads) {
    std::vector<processor_set> ranks(places.size() / static_cast<std::size_t>(threads));
    for (std::size_t i = 0; i < places.size(); ++i) ranks[i / static_cast<std::size_t>(threads)] |= places[i];
    return ranks;
}

} // namespace

placement place_ranks(std::string const& cores, int ranks, int threads) {
    auto const usable = processor_set::of_this_thread();
    placement result;
    if (cores.empty() || cores == "all") {
        topology const machine;
        if (cores == "all" || ranks * threads <= machine.cores_in(usable))
            result.of_rank = together(machine.spread(ranks * threads, usable), threads);
    } else if (cores != "none") {
        result.of_rank = together(one_each(processor_set::parse(cores), ranks * threads, usable), threads);
    }
    processor_set all;
    for (auto const& place : result.of_rank) all |= place;
    result.processors = usable_processors(result.of_rank.empty() ? usable : all);
    return result;
}

} // namespace sode::internal::tools
