// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"

namespace sode::internal {

[[nodiscard]] bool is_periodic(detail::wall const& w) noexcept;

/// Errors: usage, for boundary conditions of a field that cannot be: rules for another number of components, only one side that is
/// periodic, a block at the wall with fewer elements than its rule needs.
void check_walls(halo_spec const& spec, int field);

} // namespace sode::internal
