// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sode::internal::tools {

/// `sode plan --collective`.
struct collective_options {
    std::string collective; ///< "allreduce"
    std::string machines;   ///< "32x32x32"
    std::string network = "torus";
    std::int64_t bytes = 8; ///< that each rank gives
    std::string algorithm;  ///< empty: all that can
    std::string timeline;   ///< a file; empty: none
    std::string profile;    ///< as for halos
    int ranks = 1;          ///< of a machine
    int epochs = 2;
    double hop = 100; ///< nanoseconds
};

/// Predicts a collective of many machines by running the plans of all ranks against the cost model. Errors: usage, environment.
int print_collective(collective_options const& o);

} // namespace sode::internal::tools
