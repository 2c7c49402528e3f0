// SPDX-License-Identifier: Apache-2.0
#include "device/device_messages.hpp"

#include <dlfcn.h>

namespace sode::internal {
namespace {

// Sode's plug-in opens an MPI for the whole process, and programs that call one are linked with it.
template <class F> F* function_of_mpi(char const* name) noexcept {
    return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

bool is_yes(char const* question) noexcept {
    int yes = 0;
    auto* const asks = function_of_mpi<int(int*)>(question);
    return asks && asks(&yes) == 0 && yes != 0;
}

} // namespace

std::optional<bool> mpi_says_of_device_memory() noexcept {
    // MPICH ends the process if it is asked before MPI_Init or after MPI_Finalize, and Open MPI 5 knows nothing then.
    if (!is_yes("MPI_Initialized") || is_yes("MPI_Finalized")) return std::nullopt;
    auto* const asks = function_of_mpi<int()>("MPIX_Query_cuda_support");
    if (!asks) return std::nullopt;
    return asks() == 1;
}

bool mpi_takes_device_memory() noexcept {
    return mpi_says_of_device_memory().value_or(false);
}

} // namespace sode::internal
