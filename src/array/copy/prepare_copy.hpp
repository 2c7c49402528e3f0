// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/copy/copy_spec.hpp"
#include "engine/prepared.hpp"

#include <sode/halo_source.hpp>

#include <memory>

namespace sode::internal {

/// Plans a copy between the arrays of `to` and `from`, whose memory must outlive it. Collective. Errors: as copy_init().
[[nodiscard]] std::unique_ptr<prepared> prepare_copy(copy_spec const& spec, detail::halo_source const& to,
                                                     detail::halo_source const& from);

} // namespace sode::internal
