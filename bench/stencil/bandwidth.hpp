// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/contest.hpp"

#include <sode/runtime.hpp>

namespace sode::internal::bench {

/// Adds the limits of Laplace's equation (support/limit.hpp): a step that only copies each row of the rank's block, from one half
/// of an array like ours to the other, as many bytes from and to memory as a step must move. "limit:copy" by the C library's
/// memcpy, "limit:streaming" with stores that pass the caches, where the processor has them: which is less depends on the plate's
/// size. Collective.
void add_laplace_limits(contest& race, runtime& rt, problem_size size);

} // namespace sode::internal::bench
