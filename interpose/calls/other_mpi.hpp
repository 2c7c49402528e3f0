// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sode::internal::interpose {

/// Ends the process with a message if the program is linked with another MPI than this library: their handles mean different
/// things, and what would come of it is an error of some call that names neither. To be asked before MPI is initialised.
void refuse_other_mpi() noexcept;

} // namespace sode::internal::interpose
