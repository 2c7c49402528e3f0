// SPDX-License-Identifier: Apache-2.0
#include "array/copy/prepare_copy.hpp"

#include "array/bound.hpp"
#include "array/copy/copy_plan.hpp"
#include "model/checked_plan.hpp"

namespace sode::internal {
namespace {

std::vector<int const*> halves_of(copy_spec const& spec, detail::halo_source const& to, detail::halo_source const& from) {
    std::vector<int const*> list(static_cast<std::size_t>(spec.groups));
    if (to.half) list[static_cast<std::size_t>(spec.to.group)] = to.half.get();
    if (from.half) list[static_cast<std::size_t>(spec.from.group)] = from.half.get();
    return list;
}

} // namespace

std::unique_ptr<prepared> prepare_copy(copy_spec const& spec, detail::halo_source const& to, detail::halo_source const& from) {
    auto& j = *to.owner;
    auto steps = checked_plan(
        j, [&](int r) { return build_copy(spec, r); }, [&](int r) { return copy_models(spec, r); }, "the output of dump(\"json\")");
    std::vector<bound_array> arrays{bound(to)};
    if (!spec.one_array) arrays.push_back(bound(from));
    return std::make_unique<prepared>(
        std::move(steps), j.surroundings(),
        plan_terms{.arrays = arrays, .fingerprint = spec.fingerprint(), .halves = halves_of(spec, to, from)});
}

} // namespace sode::internal
