// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/solver.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace sode::internal::bench {

/// The whole problem on one rank with a thread for each of `cores`, as under `sode run -n 1 --threads`: a job of its own within the
/// calling rank, which is bound to the first of them when it does not work. `make` makes the solver on that job.
[[nodiscard]] std::unique_ptr<solver> on_one_rank(std::vector<int> const& cores,
                                                  std::function<std::unique_ptr<solver>(runtime&)> const& make);

} // namespace sode::internal::bench
