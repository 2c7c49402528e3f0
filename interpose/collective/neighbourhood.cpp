// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/neighbourhood.hpp"

#include <cstddef>

namespace sode::internal::interpose {

bool neighbourhood::find(MPI_Comm communicator) {
    sources_.clear();
    destinations_.clear();
    int kind = MPI_UNDEFINED;
    if (communicator == MPI_COMM_NULL || PMPI_Topo_test(communicator, &kind) != MPI_SUCCESS) return false;
    if (kind == MPI_CART) cartesian(communicator);
    if (kind == MPI_GRAPH) graph(communicator);
    if (kind == MPI_DIST_GRAPH) distributed(communicator);
    return kind != MPI_UNDEFINED;
}

void neighbourhood::cartesian(MPI_Comm communicator) {
    int dimensions = 0;
    PMPI_Cartdim_get(communicator, &dimensions);
    for (int d = 0; d < dimensions; ++d) {
        int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
        PMPI_Cart_shift(communicator, d, 1, &below, &above);
        // What goes down comes from above.
        int const down = 2 * d, up = 2 * d + 1;
        sources_.push_back({below, up});
        sources_.push_back({above, down});
        destinations_.push_back({below, down});
        destinations_.push_back({above, up});
    }
}

void neighbourhood::graph(MPI_Comm communicator) {
    int rank = 0, count = 0;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Graph_neighbors_count(communicator, rank, &count);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    PMPI_Graph_neighbors(communicator, rank, count, ranks.data());
    for (int const r : ranks) {
        sources_.push_back({r, 0});
        destinations_.push_back({r, 0});
    }
}

void neighbourhood::distributed(MPI_Comm communicator) {
    int in = 0, out = 0, weighted = 0;
    PMPI_Dist_graph_neighbors_count(communicator, &in, &out, &weighted);
    std::vector<int> from(static_cast<std::size_t>(in)), to(static_cast<std::size_t>(out)), in_weights(from.size()),
        out_weights(to.size());
    PMPI_Dist_graph_neighbors(communicator, in, from.data(), in_weights.data(), out, to.data(), out_weights.data());
    for (int const r : from) sources_.push_back({r, 0});
    for (int const r : to) destinations_.push_back({r, 0});
}

} // namespace sode::internal::interpose
