// SPDX-License-Identifier: Apache-2.0
#include "array/transfers.hpp"

#include "array/mixing.hpp"
#include "channel/edge.hpp"
#include "channel/mpi/message.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace sode {

void transfer_terms::take(detail::job const& j, std::string const& option, std::string_view asked_by) {
    ranks = j.boot->size();
    costs = j.costs;
    distances = j.distances;
    if (j.nodes > 1) nodes = j.node_of;
    std::string const& wanted = option.empty() ? j.settings.channel : option;
    if (wanted.empty()) return;
    forced = method_of(wanted);
    if (!forced)
        throw error{error_kind::usage, fmt::format("unknown channel \"{}\"", wanted),
                    option.empty() ? "SODE_CHANNEL asks for it" : fmt::format("{} was given it", asked_by),
                    "use pull, stage, stage-wide, mpi or reference"};
    if (forced == method::message && j.nodes == 1 && ranks > 1 && !j.boot->messages())
        throw error{error_kind::usage, fmt::format("{} cannot go by channel mpi", name),
                    fmt::format("ranks started by {} have no messages", j.boot->name()),
                    "start the program with an MPI's mpirun, or force another channel"};
}

void transfer_terms::require_method() const {
    if (forced == method::in_line)
        throw error{error_kind::usage, fmt::format("{} cannot travel in line", name), "only halos do",
                    "force pull, stage, stage-wide or reference, or nothing"};
}

std::uint64_t transfer_terms::fingerprint(std::uint64_t seed) const noexcept {
    mix(seed, index_t{forced ? 2 + static_cast<int>(*forced) : 0});
    mix(seed, index_t{ranks});
    for (int const n : nodes) mix(seed, index_t{n});
    for (auto const& p : distances.pairs()) mix(seed, static_cast<index_t>(class_of(p.distance)));
    return seed;
}

// A row of a transfer is what is contiguous on both sides.
void choose_way(transfer& t, transfer_terms const& terms, bool shared) {
    auto const source = classify(t.source_layout), target = classify(t.target_layout);
    bool const self = t.source == t.target;
    auto& e = t.features;
    e.bytes = t.source_layout.bytes();
    e.row_bytes = std::min(source.row_bytes, target.row_bytes);
    e.rows = e.bytes / std::max<std::int64_t>(e.row_bytes, 1);
    e.pitch = std::max(source.pitch, target.pitch);
    e.apart = self                                     ? distance::near
              : terms.share_memory(t.source, t.target) ? between(terms.distances, t.source, t.target)
                                                       : distance::other_node;
    e.acknowledged = true;
    e.shared = shared || self;
    t.chosen = choose(e, terms.costs, self ? std::optional{method::pull} : forced_over(terms.nodes, terms.forced));
}

void transfers::outgoing::lay_out_stage() {
    stage_bytes = 0;
    // What goes by wide copies lies together, so that no wide copy runs over what others have packed in between.
    for (auto how : {method::stage, method::stage_wide})
        for (auto& i : items)
            if (i.chosen.how == how) {
                i.stage_offset = stage_bytes;
                stage_bytes += stage_room(i.features.bytes);
            }
}

} // namespace sode
