// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/race.hpp"
#include "support/statistics.hpp"

#include <string>
#include <utility>
#include <vector>

namespace sode::internal::bench {

/// What else a block has told, by name: ("start_us", 0.1), ….
using sample_parts = std::vector<std::pair<std::string, double>>;

/// A measured block. Blocks of one turn were measured right after each other, so their ratios may be trusted further than their
/// times.
struct sample {
    int turn = 0;
    std::string name;
    block_time time;
    sample_parts parts = {};
};

struct measured_case {
    std::string name;
    std::vector<sample> samples;
    std::vector<std::pair<std::string, double>> sizes = {}; ///< what the name means in numbers: ("x", 64), ("bytes", 32768), …
};

/// A cache line's round trip between two ranks, before anything was measured.
struct core_distance {
    int a, b;
    double round_trip_ns;
};

/// Of every pair of ranks; none where ranks share cores. Collective.
[[nodiscard]] std::vector<core_distance> core_distances(control& shared, tick_rate const& rate);

/// Of one run of one program: what it was, and everything that it measured.
struct report {
    std::string program; ///< "halo"
    std::string library; ///< "Open MPI v4.1.4"
    std::string setup;   ///< the label that whoever started it gave: "vader"
    int ranks = 0;
    std::vector<std::string> ours;
    std::vector<measured_case> cases;
    std::vector<core_distance> distances = {};
    std::vector<std::string> limits = {}; ///< the names of bare loops, which no exchange can beat: neither ours nor rivals

    /// Everything, and the machine (machine_facts), for bench/bars, `sode bench` and other readers.
    [[nodiscard]] std::string json() const;
    /// A table for people: a line a case, method and regime; ratios are rival / ours, or limit / ours, with their 95 % interval.
    [[nodiscard]] std::string table() const;
};

/// rival / ours of the turns in which both were measured in regime `where`.
[[nodiscard]] std::vector<double> paired_ratios(measured_case const& c, std::string const& ours, std::string const& rival,
                                                regime where);

} // namespace sode::internal::bench
