// SPDX-License-Identifier: Apache-2.0
#include "mpi4/held.hpp"

#include "mpi4/next.hpp"

#include <algorithm>
#include <mutex>

namespace sode::internal::mpi4 {
namespace {

struct held_op {
    MPI_Op op = MPI_OP_NULL;
    int holders = 0;
    bool freed = false; // by the user
};

struct held_ops {
    std::mutex mutex;
    std::vector<held_op> list; // few
    [[nodiscard]] std::vector<held_op>::iterator find(MPI_Op op) {
        return std::find_if(list.begin(), list.end(), [op](held_op const& h) { return h.op == op; });
    }
};
held_ops& ops() {
    static auto& them = *new held_ops; // never destroyed
    return them;
}

// Nobody can free it.
bool is_predefined(MPI_Datatype type, int& error) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    error = PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
           combiner == MPI_COMBINER_F90_INTEGER;
}

} // namespace

bool is_between_groups(MPI_Comm communicator) {
    int inter = 0;
    PMPI_Comm_test_inter(communicator, &inter);
    return inter != 0;
}

roles roles_of(MPI_Comm communicator, int root) {
    if (is_between_groups(communicator)) return {root == MPI_ROOT, root >= 0};
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return {rank == root, true};
}

int parts_of(MPI_Comm communicator) {
    int n = 0;
    if (is_between_groups(communicator))
        PMPI_Comm_remote_size(communicator, &n);
    else
        PMPI_Comm_size(communicator, &n);
    return n;
}

int ranks_of(MPI_Comm communicator) {
    int n = 0;
    PMPI_Comm_size(communicator, &n);
    return n;
}

neighbours neighbours_of(MPI_Comm communicator) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(communicator, &kind);
    neighbours n;
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(communicator, &n.sources);
        n.sources *= 2;
        n.targets = n.sources;
    } else if (kind == MPI_GRAPH) {
        int rank = 0;
        PMPI_Comm_rank(communicator, &rank);
        PMPI_Graph_neighbors_count(communicator, rank, &n.sources);
        n.targets = n.sources;
    } else if (kind == MPI_DIST_GRAPH) {
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(communicator, &n.sources, &n.targets, &weighted);
    }
    return n;
}

held_arguments::~held_arguments() {
    int over = 0;
    PMPI_Finalized(&over);
    if (over != 0) return;
    for (auto& t : types_) PMPI_Type_free(&t);
    for (auto const op : ops_) {
        std::lock_guard const lock{ops().mutex};
        auto const at = ops().find(op);
        if (at == ops().list.end() || --at->holders > 0) continue;
        if (at->freed) next().op_free(&at->op);
        ops().list.erase(at);
    }
}

MPI_Datatype held_arguments::type(MPI_Datatype of_user, bool means) {
    if (!means || error_ != MPI_SUCCESS) return of_user;
    if (is_predefined(of_user, error_) || error_ != MPI_SUCCESS) return of_user;
    // Not MPI_Type_dup, which asks the callbacks of the user's attributes.
    MPI_Datatype same = MPI_DATATYPE_NULL;
    error_ = PMPI_Type_contiguous(1, of_user, &same);
    if (error_ != MPI_SUCCESS) return of_user;
    types_.push_back(same);
    error_ = PMPI_Type_commit(&types_.back());
    return types_.back();
}

std::shared_ptr<MPI_Datatype[]> held_arguments::types(MPI_Datatype const* of_user, int n, bool means) {
    auto all = list(of_user, n, means);
    for (int i = 0; means && i < n; ++i) all[i] = type(of_user[i]);
    return all;
}

MPI_Op held_arguments::op(MPI_Op of_user) {
    std::lock_guard const lock{ops().mutex};
    auto const at = ops().find(of_user);
    if (at != ops().list.end())
        ++at->holders;
    else
        ops().list.push_back({of_user, 1, false});
    ops_.push_back(of_user);
    return of_user;
}

int free_op(MPI_Op* op) {
    {
        std::lock_guard const lock{ops().mutex};
        if (auto const at = op == nullptr ? ops().list.end() : ops().find(*op); at != ops().list.end() && !at->freed) {
            at->freed = true;
            *op = MPI_OP_NULL;
            return MPI_SUCCESS;
        }
    }
    return next().op_free(op);
}

} // namespace sode::internal::mpi4
