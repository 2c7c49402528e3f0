// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "arrays.hpp"

namespace sode::xmp {

using exchange_kind = sode_xmp_array_state::exchange_kind;

/// What a directive asks for. Ends the program where the array's shadow has not as much, or the array has no memory.
[[nodiscard]] exchange_kind kind_of(char const* at, sode_xmp_array const& array, int64_t const* width, int const* periodic,
                                    int orthogonal);
/// Planned when it is asked for first. Collective.
[[nodiscard]] sode_exchange* exchange_of(char const* at, sode_xmp_array_state& s, exchange_kind const& kind);

} // namespace sode::xmp
