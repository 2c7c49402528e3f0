// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/processors.hpp"

#include <string>
#include <vector>

namespace sode::internal::tools {

/// Where each rank runs.
struct placement {
    std::vector<processor_set> of_rank; ///< empty: ranks are not bound
    int processors = 1;                 ///< that ranks may use, all together
};

/// `cores` is the option of `sode run`. Each rank has `threads`, and gets as many cores. Errors: usage, for a list that cannot be
/// understood or has processors that this process may not use.
[[nodiscard]] placement place_ranks(std::string const& cores, int ranks, int threads);

} // namespace sode::internal::tools
