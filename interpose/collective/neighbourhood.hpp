// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>
#include <vector>

namespace sode::internal::interpose {

/// Whom a rank of a process topology exchanges with in neighbourhood collectives, in MPI's order (MPI-4.0, section 8.6). Ranks may
/// be MPI_PROC_NULL. Where two ranks are neighbours in several ways, a tag tells which of them is meant.
class neighbourhood {
public:
    struct neighbour {
        int rank;
        int tag;
    };

    /// False, if the communicator has no topology.
    [[nodiscard]] bool find(MPI_Comm communicator);

    [[nodiscard]] std::vector<neighbour> const& sources() const noexcept { return sources_; }
    [[nodiscard]] std::vector<neighbour> const& destinations() const noexcept { return destinations_; }

private:
    void cartesian(MPI_Comm communicator);
    void graph(MPI_Comm communicator);
    void distributed(MPI_Comm communicator);

    std::vector<neighbour> sources_;
    std::vector<neighbour> destinations_;
};

} // namespace sode::internal::interpose
