// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cost/profile.hpp"

#include <cstdint>
#include <string>

namespace sode::internal::tools {

/// `sode plan --collective`.
struct collective_options {
    std::string collective; ///< "allreduce"
    std::string machines;   ///< "32x32x32"
    std::string network = "torus";
    std::string bytes = "8";        ///< that each rank gives: a list, or "1K..256M"
    std::string engines = "inline"; ///< a list
    std::string algorithm;          ///< "ring", ":4" by so many leaders, "ring:4"; empty: all that can
    std::string timeline;           ///< a file; empty: none
    std::string json;               ///< a file; empty: none
    std::string dump;               ///< a format; empty: the plans are evaluated, not shown
    std::string profile;            ///< as for halos
    std::string carrier;            ///< of the profile's networks, between all machines; empty: its `network`
    std::string inner;              ///< "tca=torus:2x8": one of these, inside sub-clusters; empty: there are none
    int ranks = 1;                  ///< of a machine
    int cores = 0;                  ///< of a machine, which its ranks share; 0: one for each rank
    int epochs = 2;
    double hop = 100; ///< nanoseconds
    double inner_hop = 100;
};

/// Predicts a collective of many machines by running the plans of all ranks against the cost model. Errors: usage, environment.
int print_collective(collective_options const& o);

/// Microseconds of one such collective, by the fastest algorithm, of so many machines of one rank on a crossbar of the profile's
/// `network`; 0 of one machine. Errors: usage, for a collective that is not known.
[[nodiscard]] double fastest_us(std::string const& collective, int machines, std::int64_t bytes, profile const& costs);

} // namespace sode::internal::tools
