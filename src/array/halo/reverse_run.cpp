// SPDX-License-Identifier: Apache-2.0
#include "array/halo/reverse_run.hpp"

#include "array/checked_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode {
namespace {

reverse_spec spec_of(halo_spec const& halo, std::span<detail::halo_source const> sources, reduction op) {
    reverse_spec spec{.halo = &halo, .op = op, .elements = {}};
    for (auto const& s : sources) {
        if (s.element == detail::no_number)
            throw error{error_kind::usage, fmt::format("array \"{}\" cannot be reversed", s.shape->name),
                        "its elements are no numbers that ranks can combine: integers or floating-point, of 1 to 8 bytes",
                        "keep what is to be combined in arrays of numbers, or reverse an exchange without this array"};
        if (std::any_of(s.full.begin(), s.full.end(), [](bool full) { return full; }))
            throw error{error_kind::usage, fmt::format("array \"{}\" cannot be reversed", s.shape->name),
                        "it has a full shadow, in which every rank holds every element",
                        "use a shadow of some layers, or reduce the array"};
        spec.elements.push_back(static_cast<element>(s.element));
    }
    return spec;
}

plan build_checked(reverse_spec const& spec, detail::job const& j) {
    return checked_plan(
        j, [&](int r) { return build_reverse(spec, r); }, [&](int r) { return reverse_models(spec, r); },
        "the shapes of the arrays and the options of reflect_init");
}

} // namespace

reverse_run::reverse_run(halo_spec const& halo, std::span<detail::halo_source const> sources, std::span<bound_array const> arrays,
                         reduction op, detail::job& owner)
    : spec_(spec_of(halo, sources, op)), steps_(build_checked(spec_, owner)),
      places_(steps_, owner.surroundings(), arrays, spec_.fingerprint()), engine_(steps_, places_, owner.surroundings()) {}

} // namespace sode
