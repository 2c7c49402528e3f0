// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/reduction.hpp"
#include "plan/schedule.hpp"

namespace sode::internal {

/// What the combiners of a plan mean, those of the user's included.

/// Whether that combiner means anything in the plan.
[[nodiscard]] bool has_combiner(schedule const& p, std::uint32_t combiner) noexcept;
/// Bytes of the elements that it combines. It means something.
[[nodiscard]] std::size_t element_bytes(schedule const& p, std::uint32_t combiner) noexcept;
/// Whether the order of its operands does not matter. It means something.
[[nodiscard]] bool commutes(schedule const& p, std::uint32_t combiner) noexcept;
/// "sum of f64", "rotate of 16 B"; "?" for what means nothing.
[[nodiscard]] std::string describe_combiner(schedule const& p, std::uint32_t combiner);

} // namespace sode::internal
