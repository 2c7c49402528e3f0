// SPDX-License-Identifier: Apache-2.0
#include "array/copy/copy_run.hpp"

#include "array/copy/copy_edges.hpp"
#include "array/copy/copy_plan.hpp"
#include "plan/verify.hpp"

#include <fmt/format.h>

#include <utility>

namespace sode {
namespace {

void verify_all(copy_spec const& spec) {
    std::vector<plan> plans;
    std::vector<std::vector<array_model>> models;
    for (int r = 0; r < spec.ranks; ++r) {
        plans.push_back(build_copy(spec, r));
        models.push_back(copy_models(spec, r));
    }
    auto const findings = verify(plans, models);
    if (!findings.empty())
        throw error{error_kind::internal, fmt::format("the plan of {} is wrong", spec.name), findings.front().message,
                    "please report this, with the output of redistribution::dump(\"json\")"};
}

std::vector<bound_array> arrays_of(copy_spec const& spec, detail::halo_source const& to, detail::halo_source const& from) {
    std::vector<bound_array> list{{{to.memory[0].get(), to.memory[1].get()}, to.shape->shared()}};
    if (!spec.one_array) list.push_back({{from.memory[0].get(), from.memory[1].get()}, from.shape->shared()});
    return list;
}

plan build_checked(copy_spec const& spec, detail::job const& j) {
    if (j.settings.check.plan) verify_all(spec);
    return build_copy(spec, j.boot->rank());
}

} // namespace

copy_run::copy_run(copy_spec spec, detail::halo_source to, detail::halo_source from)
    : to_(std::move(to)), from_(std::move(from)), spec_(std::move(spec)), steps_(build_checked(spec_, *to_.owner)),
      places_(steps_, to_.owner->surroundings(), arrays_of(spec_, to_, from_), spec_.fingerprint()),
      engine_(steps_, places_, to_.owner->surroundings()) {}

unsigned copy_run::halves_now() const noexcept {
    unsigned bits = 0;
    if (to_.half) bits |= static_cast<unsigned>(*to_.half) << static_cast<unsigned>(spec_.to.group);
    if (from_.half) bits |= static_cast<unsigned>(*from_.half) << static_cast<unsigned>(spec_.from.group);
    return bits;
}

void take_settings(copy_spec& spec, detail::job const& j, std::string const& option, std::string_view asked_by) {
    spec.ranks = j.boot->size();
    spec.costs = j.costs;
    spec.distances = j.distances;
    if (j.nodes > 1) spec.nodes = j.node_of;
    std::string const& name = option.empty() ? j.settings.channel : option;
    if (name.empty()) return;
    spec.forced = method_of(name);
    if (!spec.forced)
        throw error{error_kind::usage, fmt::format("unknown channel \"{}\"", name),
                    option.empty() ? "SODE_CHANNEL asks for it" : fmt::format("{} was given it", asked_by),
                    "use pull, stage, stage-wide, mpi or reference"};
    if (spec.forced == method::message && j.nodes == 1 && spec.ranks > 1 && !j.boot->messages())
        throw error{error_kind::usage, fmt::format("{} cannot go by channel mpi", spec.name),
                    fmt::format("ranks started by {} have no messages", j.boot->name()),
                    "start the program with an MPI's mpirun, or force another channel"};
}

} // namespace sode
