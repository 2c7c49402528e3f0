// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/config.hpp"

#include <sode/bootstrap.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// An MPI that libsode can join without having been linked with it, by a plug-in: libsode-channel-NAME.so.
struct mpi_plugin {
    std::string_view name; ///< "openmpi", "mpich"
    std::string file;      ///< its path; empty if there is none
    std::string library;   ///< what the MPI says it is; empty if the plug-in cannot be opened
    std::string why_not;   ///< what is wrong with it; empty: nothing
};
/// All MPIs that there could be, looked for in SODE_PLUGINS, beside libsode, and where it was installed.
[[nodiscard]] std::vector<mpi_plugin> find_mpi_plugins(config const& settings);

/// The path of a file in the folders in which plug-ins are looked for, the first of them first; empty: it is in none.
[[nodiscard]] std::string find_beside_plugins(std::string const& name, config const& settings);

/// The MPI whose launcher started this process: the one that the program is linked with, if it is with one; else what SODE_MPI
/// says; else Open MPI for a launcher that speaks PMIx, MPICH for one that speaks PMI. Empty: no launcher did and MPI is not
/// initialised, or SODE_MPI=none.
[[nodiscard]] std::string launching_mpi(config const& settings);

/// Joins MPI_COMM_WORLD by that MPI's plug-in. MPI is initialised if it is not, for one thread at a time or, if the settings say
/// that there will be windows, for several; and finalised with the bootstrap then. Errors: environment, if there is no such
/// plug-in, it cannot be opened, or that MPI knows of no other rank and the launcher does.
[[nodiscard]] std::unique_ptr<bootstrap> join_by_mpi(std::string_view mpi, config const& settings);

/// The same for who asks the MPI something about itself: without a launcher, or with that of another MPI, this process is all of
/// the job.
[[nodiscard]] std::unique_ptr<bootstrap> begin_mpi(std::string_view mpi, config const& settings);

} // namespace sode::internal

// The functions of a plug-in.
extern "C" {
char const* sode_mpi_plugin_version();
char const* sode_mpi_plugin_library();
sode::bootstrap* sode_mpi_plugin_join(int several_threads);
}
