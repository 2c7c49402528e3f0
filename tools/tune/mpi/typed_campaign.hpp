// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"
#include "tune/report.hpp"

#include <string>

namespace sode::internal::tools {

/// Blocks of measurements, or why there are none.
struct typed_campaign {
    typed_result seen;
    bool reachable = false; ///< the MPI layer could reach the other rank's memory
    std::string why_not;    ///< empty: it was measured
};

/// Collective, under MPI: measures messages of derived datatypes between rank 0 and the next rank of its machine, those that are
/// left to MPI and those that the MPI layer moves, for so many seconds at most. `known` is what is known at rank 0, which gets the
/// result. Errors: peer; timeout; environment.
[[nodiscard]] typed_campaign measure_typed(config const& settings, profile const& known, double seconds);

} // namespace sode::internal::tools
