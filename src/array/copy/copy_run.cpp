// SPDX-License-Identifier: Apache-2.0
#include "array/copy/copy_run.hpp"

#include "array/checked_plan.hpp"
#include "array/copy/copy_plan.hpp"

#include <utility>

namespace sode {
namespace {

std::vector<bound_array> arrays_of(copy_spec const& spec, detail::halo_source const& to, detail::halo_source const& from) {
    std::vector<bound_array> list{{{to.memory[0].get(), to.memory[1].get()}, to.shape->shared()}};
    if (!spec.one_array) list.push_back({{from.memory[0].get(), from.memory[1].get()}, from.shape->shared()});
    return list;
}

plan build_checked(copy_spec const& spec, detail::job const& j) {
    return checked_plan(
        j, [&](int r) { return build_copy(spec, r); }, [&](int r) { return copy_models(spec, r); },
        "what dump(\"json\") says of it");
}

} // namespace

copy_run::copy_run(copy_spec const& spec, detail::halo_source to, detail::halo_source from)
    : transfer_run(build_checked(spec, *to.owner), *to.owner, arrays_of(spec, to, from), spec.fingerprint()), to_(std::move(to)),
      from_(std::move(from)), to_group_(spec.to.group), from_group_(spec.from.group) {}

unsigned copy_run::halves_now() const noexcept {
    unsigned bits = 0;
    if (to_.half) bits |= static_cast<unsigned>(*to_.half) << static_cast<unsigned>(to_group_);
    if (from_.half) bits |= static_cast<unsigned>(*from_.half) << static_cast<unsigned>(from_group_);
    return bits;
}

} // namespace sode
