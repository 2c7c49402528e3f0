// SPDX-License-Identifier: Apache-2.0
#include "interpose/calls/thread_level.hpp"

#include "base/config.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace sode::internal::interpose {

namespace {

// What libsode-mpi4 exports, so that its program is known (mpi4/repeated.cpp).
constexpr char in_persistent_programs[] = "sode_mpi4_program";

// A hint, where MPI cannot be asked yet; each launcher has its own words.
bool launched_on_one_machine() noexcept {
    constexpr std::array<std::pair<char const*, char const*>, 2> of_all_and_of_machine{
        {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"}, {"PMI_SIZE", "MPI_LOCALNRANKS"}}};
    for (auto const& [of_all, of_machine] : of_all_and_of_machine) {
        auto const* const all = std::getenv(of_all);
        auto const* const here = std::getenv(of_machine);
        if (all != nullptr && here != nullptr) return std::strcmp(all, here) == 0;
    }
    return false;
}

} // namespace

bool wants_mpi_in_helper() noexcept {
    if (::dlsym(RTLD_DEFAULT, in_persistent_programs) == nullptr) return false;
    // The user's word about the level that MPI_Init gives.
    if (std::getenv("OMPI_MPI_THREAD_LEVEL") != nullptr || std::getenv("MPIR_CVAR_DEFAULT_THREAD_LEVEL") != nullptr) return false;
    try {
        auto const settings = config::from_environment();
        if (settings.mpi_path == "plain" || settings.mpi_collectives == "off") return false;
        return settings.machine_size > 0 || !launched_on_one_machine();
    } catch (...) { // a mistake in the settings, of which the layer tells when MPI runs
        return false;
    }
}

} // namespace sode::internal::interpose
