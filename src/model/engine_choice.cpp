// SPDX-License-Identifier: Apache-2.0
#include "model/engine_choice.hpp"

#include "base/processors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace sode::internal {

std::string lacks_spare_processors(std::string const& declared, machine_share const& share) {
    if (declared.empty()) return "SODE_ENGINE_CORES names none";
    auto const cores = processor_set::parse(declared).numbers();
    if (static_cast<int>(cores.size()) < share.ranks)
        return fmt::format("SODE_ENGINE_CORES names {}, for {} ranks of a machine", cores.size(), share.ranks);
    auto const used = std::ranges::find_if(cores, [&](int core) { return share.used.contains(core); });
    return used == cores.end() ? "" : fmt::format("ranks may also run on processor {}", *used);
}

int spare_for_each_rank(std::string const& declared, machine_share const& share) {
    constexpr int most = 4;
    auto const cores = static_cast<int>(processor_set::parse(declared).numbers().size());
    return std::clamp(cores / std::max(share.ranks, 1), 1, most);
}

namespace {

// So many go through a core while a plan is handed over: it is rung, and heard; told, and heard.
double bytes_of_hand_over(profile const& costs) noexcept {
    auto const& near = costs.of(distance::near).memory;
    return 4 * near.flag / near.stream_byte;
}

} // namespace

std::int64_t bytes_worth_an_engine(profile const& costs) noexcept {
    return static_cast<std::int64_t>(10 * bytes_of_hand_over(costs));
}

std::int64_t bytes_worth_an_engine(profile const& costs, double overlap) noexcept {
    double const bytes = overlap > 0 ? bytes_of_hand_over(costs) / overlap : 0;
    constexpr auto never = std::numeric_limits<std::int64_t>::max();
    return overlap > 0 && bytes < 0x1p62 ? std::max<std::int64_t>(static_cast<std::int64_t>(bytes), 1) : never;
}

} // namespace sode::internal
