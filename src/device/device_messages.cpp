// SPDX-License-Identifier: Apache-2.0
#include "device/device_messages.hpp"

#include <dlfcn.h>

namespace sode::internal {

// Sode's plug-in opens an MPI for the whole process, and programs that call one are linked with it.
bool mpi_takes_device_memory() noexcept {
    auto* const asks = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "MPIX_Query_cuda_support"));
    return asks && asks() == 1;
}

} // namespace sode::internal
