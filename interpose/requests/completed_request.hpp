// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

namespace sode::internal::interpose {

/// A request that is complete already, and has an empty status. Unlike MPI's own requests, which may be one and the
/// same for all short sends, it has a handle of its own as long as it lives.
[[nodiscard]] MPI_Request completed_request();

} // namespace sode::internal::interpose
