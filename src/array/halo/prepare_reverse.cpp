// SPDX-License-Identifier: Apache-2.0
#include "array/halo/prepare_reverse.hpp"

#include "model/checked_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sode::internal {
namespace {

reverse_spec spec_of(halo_spec const& halo, std::span<detail::halo_source const> sources, reduction op) {
    reverse_spec spec{.halo = &halo, .op = op, .elements = {}};
    for (auto const& s : sources) {
        if (s.element == detail::no_number)
            throw error{error_kind::usage, fmt::format("array \"{}\" cannot take part in reverse()", s.shape->name),
                        "the elements are not integers, floating-point numbers, complex numbers or bool",
                        "use an exchange that contains only arrays of numbers"};
        if (auto const what = static_cast<element>(s.element); !combines(op, what))
            throw error{error_kind::usage,
                        fmt::format("array \"{}\" cannot take part in reverse() with {}", s.shape->name, to_string(op)),
                        fmt::format("the operation is not defined for elements of {}", to_string(what)),
                        "use an operation that this type supports"};
        if (std::any_of(s.full.begin(), s.full.end(), [](bool full) { return full; }))
            throw error{error_kind::usage, fmt::format("array \"{}\" cannot take part in reverse()", s.shape->name),
                        "the array has a full shadow, in which every rank holds every element",
                        "use a shadow with a number of layers, or a reduction"};
        spec.elements.push_back(static_cast<element>(s.element));
    }
    return spec;
}

} // namespace

std::unique_ptr<prepared> prepare_reverse(halo_spec const& halo, std::span<detail::halo_source const> sources, reduction op,
                                          plan_terms terms, detail::job& owner) {
    auto const spec = spec_of(halo, sources, op);
    auto steps = checked_plan(
        owner, [&](int r) { return build_reverse(spec, r); }, [&](int r) { return reverse_models(spec, r); },
        "the shapes of the arrays and the options of reflect_init");
    terms.fingerprint = spec.fingerprint();
    return std::make_unique<prepared>(std::move(steps), owner.surroundings(), std::move(terms));
}

} // namespace sode::internal
