// SPDX-License-Identifier: Apache-2.0
// What is said of a mistake that a watch has found.
#include "arrays.hpp"
#include "process.hpp"
#include "watch.hpp"

#include <algorithm>

namespace sode::xmp {
namespace {

std::string brackets(std::int64_t value) {
    std::string text = "[";
    text += std::to_string(value);
    return text + "]";
}

// Along which dimension, if there are several.
std::string dimension(std::size_t d, std::size_t dims) {
    return dims > 1 ? " of dimension " + std::to_string(d) : "";
}

} // namespace

std::string watch::named(std::int64_t const* indices) const {
    std::string text = state_->name;
    for (std::size_t d = 0; d < dims_; ++d) text += brackets(indices[d]);
    return text;
}

// What this rank has: u[4:8][0:16], in the notation of sections.
std::string watch::own_part() const {
    if (none_) return "this rank owns no part of the array";
    std::string text = "this rank has " + state_->name;
    for (std::size_t d = 0; d < dims_; ++d) {
        auto const& is = shares_[d];
        text += is.chunk > 0 ? std::string{"[cyclic]"}
                             : "[" + std::to_string(is.lower) + ":" + std::to_string(is.upper - is.lower) + "]";
    }
    return text;
}

void watch::not_here(char const* at, std::int64_t const* indices, std::size_t d, bool reads, bool expands) const {
    auto const& is = shares_[d];
    auto const i = indices[d];
    auto const name = named(indices);
    if (i < 0 || i >= is.extent) {
        std::string whole = state_->name;
        for (std::size_t k = 0; k < dims_; ++k) whole += brackets(shares_[k].extent);
        fail(at, name + " does not exist (the array is " + whole + ", index " + std::to_string(i) + dimension(d, dims_) + ")",
             "change the index, or the bounds of the loop");
    }
    auto const problem = name + " belongs to another rank (" + own_part() + ")";
    if (none_ || is.chunk > 0)
        fail(at, problem, "let the loop run `on` the template of the array, or fetch the element with gmove");
    auto const layers = i < is.lower ? is.lower - i : i - is.upper + 1;
    auto const has = i < is.lower ? is.lower - lower_[d] : upper_[d] - is.upper;
    auto const why = problem.substr(0, problem.size() - 1) + ", and its shadow has " + std::to_string(has) +
                     (has == 1 ? " layer" : " layers") + " there)";
    auto const needed =
        "`#pragma xmp shadow` needs " + std::to_string(layers) + (layers == 1 ? " layer" : " layers") + dimension(d, dims_);
    if (expands) // beyond the shadow, which the loop was to compute in
        fail(at, why,
             needed + (reads ? " and a reflect before this line" : "") + ", or the loop's " +
                 "`expand`, `margin` or `peel_and_wait` a smaller width");
    if (!reads) fail(at, problem, "let the loop run `on` the template of the array, so that each rank writes its own elements");
    fail(at, why, needed + " and a reflect before this line; or fetch far elements with gmove");
}

void watch::not_own(char const* at, std::int64_t const* indices) const {
    fail(at, named(indices) + " is written in the halo (" + own_part() + ")",
         "let the loop run `on` the template of the array; or use `expand` to compute in halos, and reduce_shadow to add them to "
         "the owners' elements");
}

void watch::no_value(char const* at, std::int64_t const* indices, cell state) const {
    auto const name = named(indices);
    auto const reflect = "`#pragma xmp reflect (" + state_->name + ")`";
    std::string full;
    for (std::size_t k = 0; k < dims_; ++k) {
        auto const& is = shares_[k];
        full += (k > 0 ? ", " : "") + std::to_string(is.chunk > 0 ? 0 : is.lower - lower_[k]) + ":" +
                std::to_string(is.chunk > 0 ? 0 : upper_[k] - is.upper);
    }
    switch (state) {
    case cell::outside:
        fail(at, name + " is outside of the array, and has no value (it was never written, and no periodic reflect fetched it)",
             "write the boundary first, or wrap around: " + reflect.substr(0, reflect.size() - 1) + " width(/periodic/...)`");
    case cell::coming:
        fail(at, name + " has not arrived yet (the reflect at " + fetched_at_ + " is in progress)",
             "execute wait_async before this line");
    case cell::left_out: {
        int beyond = 0;
        for (std::size_t d = 0; d < dims_; ++d)
            if (shares_[d].chunk == 0 && (indices[d] < shares_[d].lower || indices[d] >= shares_[d].upper)) ++beyond;
        if (beyond > 1 && orthogonal_)
            fail(at, name + " is a corner of the halo, which the reflect at " + fetched_at_ + " omits (the reflect is orthogonal)",
                 "remove `orthogonal` from that reflect");
        fail(at, name + " is a layer of the halo that the reflect at " + fetched_at_ + " omits (the width is too small)",
             "remove `width` from that reflect, or write width(" + full + ")");
    }
    case cell::stale:
        fail(at,
             name + " is stale in the halo (" +
                 (replaced_by_ ? std::string{replaced_by_} + " at " : std::string{"its owner's loop at "}) + written_at_ +
                 " wrote the array" + (fetched_at_.empty() ? ")" : " after the reflect at " + fetched_at_ + ")"),
             "execute " + reflect + " after the write and before this line");
    default:
        fail(at, name + " is in the halo, and was never fetched (" + own_part() + ")", "execute " + reflect + " before this line");
    }
}

} // namespace sode::xmp
