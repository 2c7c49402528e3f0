// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include "process.hpp"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace sode::xmp {
namespace {

bool wanted() {
    char const* const value = std::getenv("SODE_EXPLAIN");
    return value && std::string_view{value} == "1";
}

// "nodes 2 x 3, of which rank 0 is [0][0]"
std::string shape_of(sode_xmp_nodes const& nodes) {
    std::string extents, place;
    for (std::size_t d = 0; d < static_cast<std::size_t>(nodes.dims); ++d) {
        extents += (d > 0 ? " x " : "") + std::to_string(nodes.extents[d]);
        place += "[" + std::to_string(nodes.coordinates[d]) + "]";
    }
    return "nodes " + extents + (nodes.coordinates[0] < 0 ? ", of which rank 0 is none" : ", of which rank 0 is " + place);
}

} // namespace

void explain(char const* at, sode_xmp_array_state const& array, sode_exchange* exchange) {
    if (!wanted()) return;
    char const* text = "";
    check(at, sode_exchange_explain(exchange, &text), array.job);
    if (process::here().world().mine != 0) return;
    std::fprintf(stderr, "%s: the halo of %s over %s\n", at, array.name.c_str(), shape_of(*array.along->onto).c_str());
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);) std::fprintf(stderr, "    %s\n", line.c_str());
}

} // namespace sode::xmp
