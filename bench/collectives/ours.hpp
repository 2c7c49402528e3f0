// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"

#include <memory>
#include <vector>

namespace sode {
class runtime;
} // namespace sode

namespace sode::internal::bench {

/// Ours, planned once: in memory that the other ranks of a machine can load ("shared"), and in any other ("own"). Collective.
[[nodiscard]] std::vector<std::unique_ptr<collective_subject>> our_collectives(runtime& rt, collective_case const& c);

} // namespace sode::internal::bench
