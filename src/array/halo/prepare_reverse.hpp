// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/halo/reverse_plan.hpp"
#include "engine/prepared.hpp"
#include "model/job.hpp"

#include <sode/halo_source.hpp>

#include <memory>
#include <span>

namespace sode::internal {

/// Plans the reverse of an exchange. Collective. `terms`: arrays and halves of that exchange.
/// Errors: usage, for fields whose elements are no numbers, or that have a full shadow.
[[nodiscard]] std::unique_ptr<prepared> prepare_reverse(halo_spec const& halo, std::span<detail::halo_source const> sources,
                                                        reduction op, plan_terms terms, detail::job& owner);

} // namespace sode::internal
