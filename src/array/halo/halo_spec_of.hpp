// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/halo_spec.hpp"

#include <sode/halo.hpp>

#include <vector>

namespace sode::internal {

/// What an exchange of these fields is planned from, as reflect_init() was called. Errors: usage, for options that cannot be or do
/// not fit the fields; those of halo_spec::check().
[[nodiscard]] halo_spec halo_spec_of(reflect_options const& options, std::vector<detail::halo_source> const& sources,
                                     detail::job const& j);

} // namespace sode::internal
