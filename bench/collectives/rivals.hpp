// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"

#include <memory>
#include <mpi.h>
#include <vector>

namespace sode::internal::bench {

/// What the names of MPI's forms begin with where they are called through Sode's layer.
inline constexpr char const* layer_prefix = "layer ";

/// MPI's blocking, nonblocking and (where it has them) persistent forms, past a layer that may be there, or through it. Collective.
[[nodiscard]] std::vector<std::unique_ptr<collective_subject>> mpi_collectives(MPI_Comm communicator, collective_case const& c,
                                                                               bool layer);

} // namespace sode::internal::bench
