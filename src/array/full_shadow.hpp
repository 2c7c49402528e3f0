// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/prepare_copy.hpp"

#include <memory>
#include <string>

namespace sode::internal {

/// True if the exchange of that array fetches a full shadow.
/// Errors: usage, if it should in a dimension where the array has none.
[[nodiscard]] bool wants_full(detail::halo_source const& of);

/// The copy from `g` to itself as it looks with the full shadows of `dims` filled: along these dimensions everybody has everything.
/// `filled` is that look, and must outlive the specification. Pure.
[[nodiscard]] geometry filled_shape(geometry const& g, std::array<bool, max_dims> const& dims);
[[nodiscard]] copy_spec fill_spec(geometry const& g, geometry const& filled, bool buffered);

/// Plans what brings everybody's part into the full shadow of an array. Collective. `channel` as in reflect_options.
/// Errors: usage, for an unknown channel, or one that full shadows do not have.
[[nodiscard]] std::unique_ptr<prepared> prepare_fill(detail::halo_source const& of, std::string const& channel);

} // namespace sode::internal
