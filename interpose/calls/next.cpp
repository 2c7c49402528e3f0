// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/next.hpp"

#include <string>

namespace sode::internal::interpose {

namespace {

next_symbol find(bool profiling, std::string const& function) {
    return next_symbol{((profiling ? "PMPI_" : "MPI_") + function).c_str()};
}

} // namespace

call_table::call_table(bool profiling) noexcept {
#include "call_table_lookup.inc" // send = find(profiling, "Send"); and so on, of wrapped.txt
}

call_table const functions_of_tool_below{false};
call_table const functions_of_mpi{true};

} // namespace sode::internal::interpose
