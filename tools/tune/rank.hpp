// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace sode::tools {

struct tune_options {
    std::string output; ///< file; empty: none
    bool quick = false;
    bool print = false; ///< the profile, on stdout
    std::string cores;  ///< as for `sode run`
};

/// One of the ranks that `sode tune` starts: measures, and at rank 0 writes what was found.
void tune_as_rank(tune_options const& options);

} // namespace sode::tools
