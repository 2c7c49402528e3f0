// SPDX-License-Identifier: Apache-2.0
#include "pattern/exchange_terms.hpp"

#include "base/mixing.hpp"
#include "engine/network_reach.hpp"
#include "model/distance.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal {

distance exchange_terms::apart(int a, int b) const {
    if (a == b) return distance::near;
    return share_memory(a, b) ? between(distances, a, b) : distance::other_machine;
}

way const* exchange_terms::forced_way() const noexcept {
    return forced && !machines.one() ? &forced->over_machines() : forced;
}

void exchange_terms::take(detail::job const& j) {
    costs = j.costs;
    distances = j.distances;
    machines = j.ranks->machines();
    torus = j.settings.torus;
    subcluster = j.settings.subcluster;
    pretended = !machines.one() && j.settings.machine_size > 0;
    // Where the model decides by size who runs a plan, it may be the caller: he copies as he likes.
    puts_only = j.engines && j.worth_engines == 0 && reaches_by_puts(*j.engines);
    wired = puts_only && pretended && !j.whole && dynamic_cast<network_reach const&>(*j.engines).beyond();
}

void exchange_terms::take(detail::job const& j, std::string const& option, std::string_view asked_by) {
    take(j);
    forced = option.empty() ? j.forced : &required_way(option, fmt::format("this channel was passed to {}", asked_by));
    if (!forced) return;
    if (forced->place() == found_in::message && machines.one() && ranks() > 1 && !j.boot->messages())
        throw error{error_kind::usage, fmt::format("{} cannot use channel mpi", name),
                    fmt::format("ranks started by {} cannot send messages", j.boot->name()),
                    "start the program with mpirun, or select another channel"};
}

std::uint64_t exchange_terms::fingerprint(std::uint64_t seed) const noexcept {
    for (char const c : name_of(forced)) mix(seed, static_cast<std::uint64_t>(c));
    mix(seed, static_cast<std::uint64_t>(ranks()));
    mix(seed, std::uint64_t{pretended});
    if (puts_only) mix(seed, std::uint64_t{wired ? 2U : 1U});
    mix(seed, static_cast<std::uint64_t>(subcluster));
    for (int const extent : torus) mix(seed, static_cast<std::uint64_t>(extent));
    return seed;
}

} // namespace sode::internal
