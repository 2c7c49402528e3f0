// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tune/options.hpp"

namespace sode::internal::tools {

/// One of the ranks that `sode tune` starts: measures, and at rank 0 writes what was found.
void tune_as_rank(tune_options const& options);

} // namespace sode::internal::tools
