// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"

#include <mpi.h>

#include <memory>
#include <vector>

namespace sode::internal::bench {

/// The same by MPI: the blocking call, the one that does not block with its wait, and the persistent one, where this MPI has it.
[[nodiscard]] std::vector<std::unique_ptr<subject>> mpi_collectives(MPI_Comm communicator, collective_case const& c);

} // namespace sode::internal::bench
