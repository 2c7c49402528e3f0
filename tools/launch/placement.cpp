// SPDX-License-Identifier: Apache-2.0
#include "launch/placement.hpp"

#include "base/topology.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::tools {

namespace {

std::vector<processor_set> one_each(processor_set const& list, int ranks, processor_set const& usable) {
    std::vector<int> const numbers = list.numbers();
    for (int const p : numbers)
        if (!usable.contains(p))
            throw error{error_kind::usage, fmt::format("processor {} cannot be used", p),
                        fmt::format("this process may use {}", usable.to_string()), "choose others with --cores"};
    std::vector<processor_set> places(static_cast<std::size_t>(ranks));
    for (std::size_t r = 0; r < places.size(); ++r) places[r].insert(numbers[r % numbers.size()]);
    return places;
}

} // namespace

placement place_ranks(std::string const& cores, int ranks) {
    auto const usable = processor_set::of_this_thread();
    placement result;
    if (cores.empty() || cores == "all") {
        topology const machine;
        if (cores == "all" || ranks <= machine.cores_in(usable)) result.of_rank = machine.spread(ranks, usable);
    } else if (cores != "none") {
        result.of_rank = one_each(processor_set::parse(cores), ranks, usable);
    }
    processor_set together;
    for (auto const& place : result.of_rank) together |= place;
    result.processors = usable_processors(result.of_rank.empty() ? usable : together);
    return result;
}

} // namespace sode::tools
