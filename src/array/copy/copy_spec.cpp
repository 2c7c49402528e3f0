// SPDX-License-Identifier: Apache-2.0
#include "array/copy/copy_spec.hpp"

#include "base/mixing.hpp"
#include "pattern/choose_way.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <span>

namespace sode::internal {
namespace {

std::size_t dims_of(copy_side const& s) {
    return static_cast<std::size_t>(s.shape->dims);
}

// The dimension that is the d-th in the side's order.
std::size_t along(copy_side const& s, std::size_t d) {
    return static_cast<std::size_t>(s.order[d]);
}

section section_of(copy_side const& s) {
    return {s.shape->dims, s.picked};
}

std::string counts_of(copy_side const& s) {
    std::vector<index_t> counts;
    for (std::size_t d = 0; d < dims_of(s); ++d) counts.push_back(s.picked[along(s, d)].size());
    return fmt::format("{}", fmt::join(counts, " x "));
}

void check_side(copy_side const& s) {
    auto const& g = *s.shape;
    std::array<bool, max_dims> met{};
    for (std::size_t k = 0; k < dims_of(s); ++k) {
        if (s.order[k] < 0 || s.order[k] >= g.dims || met[along(s, k)])
            throw error{error_kind::usage,
                        fmt::format("({}) is not a permutation of the dimensions of array \"{}\"",
                                    fmt::join(std::span{s.order}.first(dims_of(s)), ", "), g.name),
                        fmt::format("each of 0 to {} must occur once", g.dims - 1),
                        "list every dimension, as in sode::permuted(a, {1, 0})"};
        met[along(s, k)] = true;
    }
    for (std::size_t d = 0; d < dims_of(s); ++d) {
        auto const& r = s.picked[d];
        if (r.step < 1)
            throw error{error_kind::usage, fmt::format("a part of array \"{}\" has a step of {}", g.name, r.step),
                        fmt::format("elements of dimension {} are selected in ascending order", d), "use a step of 1 or more"};
        if (!r.empty() && (r.lower < 0 || r.last() >= g.axes[d].extent))
            throw error{
                error_kind::usage, fmt::format("a part of array \"{}\" reaches outside the array", g.name),
                fmt::format("indices {} to {} of dimension {}, which has {} elements", r.lower, r.last(), d, g.axes[d].extent),
                "use global indices, counted from 0"};
    }
}

void mix_side(std::uint64_t& hash, copy_side const& s) noexcept {
    mix(hash, s.shape->fingerprint());
    for (std::size_t d = 0; d < dims_of(s); ++d) {
        mix(hash, s.picked[d].lower);
        mix(hash, s.picked[d].size());
        mix(hash, s.picked[d].step);
        mix(hash, index_t{s.order[d]});
    }
    mix(hash, index_t{s.buffered ? 2 + s.group : 1});
}

std::string size_of_element(copy_side const& s) {
    auto const bytes = fmt::format("{} bytes", s.shape->element_bytes);
    return s.shape->components == 1 ? bytes : fmt::format("{} components of {}", s.shape->components, bytes);
}

} // namespace

copy_side copy_side::whole(geometry const& g) {
    copy_side s{.shape = &g};
    for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d) s.picked[d] = {0, g.axes[d].extent, 1};
    return s;
}

std::vector<std::size_t> counting_dims(copy_side const& side) {
    std::vector<std::size_t> dims;
    for (std::size_t k = 0; k < dims_of(side); ++k)
        if (auto const d = along(side, k); side.picked[d].size() != 1) dims.push_back(d);
    return dims;
}

index_t elements_of(copy_side const& side) noexcept {
    return section_of(side).size();
}

void copy_spec::check() const {
    check_side(to);
    check_side(from);
    auto const to_dims = counting_dims(to), from_dims = counting_dims(from);
    bool alike = to_dims.size() == from_dims.size();
    for (std::size_t i = 0; alike && i < to_dims.size(); ++i)
        alike = to.picked[to_dims[i]].size() == from.picked[from_dims[i]].size();
    if (!alike)
        throw error{error_kind::usage,
                    fmt::format("{} elements of array \"{}\" cannot be copied to {} of array \"{}\"", counts_of(from),
                                from.shape->name, counts_of(to), to.shape->name),
                    "both sides must have the same shape, not counting dimensions with one element",
                    "use sode::part to select parts of equal shape"};
    if (to.shape->element_bytes != from.shape->element_bytes || to.shape->components != from.shape->components)
        throw error{error_kind::usage,
                    fmt::format("array \"{}\" cannot be copied to array \"{}\"", from.shape->name, to.shape->name),
                    fmt::format("an element of array \"{}\" has {}, and an element of array \"{}\" has {}", from.shape->name,
                                size_of_element(from), to.shape->name, size_of_element(to)),
                    "copy between arrays of the same type"};
    if (one_array && !in_place)
        if (auto const both = intersect(section_of(to), section_of(from)); !both.empty())
            throw error{error_kind::usage, fmt::format("a part of array \"{}\" is copied onto itself", to.shape->name),
                        fmt::format("both sides contain the elements {}", to_string(both)), "copy through another array"};
    refuse_lines(*this);
}

std::uint64_t copy_spec::fingerprint() const noexcept {
    std::uint64_t hash = 0x636f7079;
    mix_side(hash, to);
    mix_side(hash, from);
    mix(hash, index_t{(one_array ? 1 : 0) + (in_place ? 2 : 0)});
    return exchange_terms::fingerprint(hash);
}

} // namespace sode::internal
