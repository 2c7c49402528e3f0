// SPDX-License-Identifier: Apache-2.0
#include "mpi4/context.hpp"

#include <cstdint>
#include <mutex>
#include <vector>

namespace sode::internal::mpi4 {

/// What was made for one communicator of the user's. All ranks have as many, in the same order.
struct context_pool {
    struct slot {
        MPI_Comm communicator = MPI_COMM_NULL;
        bool taken = false;
    };
    std::mutex mutex; // requests may be freed by any thread
    std::vector<slot> slots;
    bool orphaned = false; // the user's communicator has been freed
};

namespace {

using pool_pointer = std::shared_ptr<context_pool>;

int forget_pool(MPI_Comm /*communicator*/, int /*keyval*/, void* value, void* /*extra*/) {
    std::unique_ptr<pool_pointer> const held{static_cast<pool_pointer*>(value)};
    auto& pool = **held;
    std::lock_guard const lock{pool.mutex};
    pool.orphaned = true;
    for (auto& s : pool.slots)
        if (!s.taken) PMPI_Comm_free(&s.communicator);
    return MPI_SUCCESS;
}

int pool_keyval() {
    static int const key = [] {
        int k = MPI_KEYVAL_INVALID;
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_pool, &k, nullptr);
        return k;
    }();
    return key;
}

int pool_of(MPI_Comm communicator, pool_pointer& result) {
    void* value = nullptr;
    int found = 0;
    if (int const error = PMPI_Comm_get_attr(communicator, pool_keyval(), static_cast<void*>(&value), &found); error != MPI_SUCCESS)
        return error;
    if (found == 0) {
        value = new pool_pointer{std::make_shared<context_pool>()};
        PMPI_Comm_set_attr(communicator, pool_keyval(), value);
    }
    result = *static_cast<pool_pointer*>(value);
    return MPI_SUCCESS;
}

// Which slots are free on all ranks of the communicator, a bit for each.
int free_everywhere(MPI_Comm communicator, bool between_groups, std::vector<std::uint64_t>& bits) {
    auto const words = static_cast<int>(bits.size());
    auto const combine = [&] {
        auto const mine = bits;
        return PMPI_Allreduce(mine.data(), bits.data(), words, MPI_UINT64_T, MPI_BAND, communicator);
    };
    auto const mine = bits;
    int result = combine();
    if (result != MPI_SUCCESS || !between_groups) return result;
    // A group hears what the other one has in common, and then, by way of that, what it has itself.
    auto const theirs = bits;
    result = combine();
    for (std::size_t w = 0; w < bits.size(); ++w) bits[w] &= theirs[w] & mine[w];
    return result;
}

int like(MPI_Comm communicator, MPI_Comm& result) {
    int kind = MPI_UNDEFINED, rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Topo_test(communicator, &kind);
    if (kind == MPI_CART) {
        int dims = 0;
        PMPI_Cartdim_get(communicator, &dims);
        auto const n = static_cast<std::size_t>(dims);
        std::vector<int> extents(n + 1), periods(n + 1), here(n + 1); // there may be none, and data() is wanted
        PMPI_Cart_get(communicator, dims, extents.data(), periods.data(), here.data());
        return PMPI_Cart_create(communicator, dims, extents.data(), periods.data(), 0, &result);
    }
    if (kind == MPI_GRAPH) {
        int nodes = 0, edges = 0;
        PMPI_Graphdims_get(communicator, &nodes, &edges);
        std::vector<int> index(static_cast<std::size_t>(nodes) + 1), targets(static_cast<std::size_t>(edges) + 1);
        PMPI_Graph_get(communicator, nodes, edges, index.data(), targets.data());
        return PMPI_Graph_create(communicator, nodes, index.data(), targets.data(), 0, &result);
    }
    if (kind == MPI_DIST_GRAPH) {
        int in = 0, out = 0, weighted = 0;
        PMPI_Dist_graph_neighbors_count(communicator, &in, &out, &weighted);
        auto const n = static_cast<std::size_t>(in), m = static_cast<std::size_t>(out);
        std::vector<int> sources(n + 1), targets(m + 1), unused(n + m + 2);
        PMPI_Dist_graph_neighbors(communicator, in, sources.data(), unused.data(), out, targets.data(), unused.data() + n + 1);
        return PMPI_Dist_graph_create_adjacent(communicator, in, sources.data(), MPI_UNWEIGHTED, out, targets.data(),
                                               MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &result);
    }
    return PMPI_Comm_split(communicator, 0, rank, &result);
}

// Errors of what runs there are told to whom the user has named.
void take_error_handler(MPI_Comm from, MPI_Comm to) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(from, &handler);
    PMPI_Comm_set_errhandler(to, handler);
    PMPI_Errhandler_free(&handler);
}

} // namespace

int context::on(MPI_Comm communicator, context& result) {
    pool_pointer pool;
    int between_groups = 0;
    if (int const error = pool_of(communicator, pool); error != MPI_SUCCESS) return error;
    if (int const error = PMPI_Comm_test_inter(communicator, &between_groups); error != MPI_SUCCESS) return error;
    std::vector<std::uint64_t> bits;
    {
        std::lock_guard const lock{pool->mutex};
        bits.resize((pool->slots.size() + 63) / 64);
        for (std::size_t i = 0; i < pool->slots.size(); ++i)
            if (!pool->slots[i].taken) bits[i / 64] |= std::uint64_t{1} << i % 64;
    }
    if (!bits.empty()) // as many on all ranks
        if (int const error = free_everywhere(communicator, between_groups != 0, bits); error != MPI_SUCCESS) return error;
    std::lock_guard const lock{pool->mutex};
    std::size_t at = 0;
    while (at < pool->slots.size() && (bits[at / 64] >> at % 64 & 1U) == 0) ++at;
    if (at == pool->slots.size()) {
        MPI_Comm made = MPI_COMM_NULL;
        if (int const error = like(communicator, made); error != MPI_SUCCESS) return error;
        pool->slots.push_back({made, false});
    }
    pool->slots[at].taken = true;
    take_error_handler(communicator, pool->slots[at].communicator);
    result.at_ = at;
    result.pool_ = std::move(pool);
    return MPI_SUCCESS;
}

MPI_Comm context::communicator() const noexcept {
    return pool_->slots[at_].communicator;
}

context::~context() {
    if (!pool_) return;
    std::lock_guard const lock{pool_->mutex};
    auto& s = pool_->slots[at_];
    s.taken = false;
    int over = 0;
    PMPI_Finalized(&over);
    if (pool_->orphaned && over == 0) PMPI_Comm_free(&s.communicator);
}

} // namespace sode::internal::mpi4
