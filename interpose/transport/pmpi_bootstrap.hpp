// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/bootstraps.hpp"
#include "interpose/calls/next.hpp"

#include <sode/detail/mpi_ranks.hpp>

#include <mpi.h>
#include <utility>
#include <vector>

namespace sode::internal::interpose {

/// MPI by functions that no tool counts as calls of the program.
struct pmpi_calls {
    static constexpr auto error_string = &PMPI_Error_string;
    static constexpr auto comm_dup = &PMPI_Comm_dup;
    static constexpr auto comm_free = &PMPI_Comm_free;
    static constexpr auto comm_set_errhandler = &PMPI_Comm_set_errhandler;
    static constexpr auto comm_rank = &PMPI_Comm_rank;
    static constexpr auto comm_size = &PMPI_Comm_size;
    static constexpr auto comm_split_type = &PMPI_Comm_split_type;
    // These are wrapped: their names lead back to the layer.
    static int bcast(void* data, int n, MPI_Datatype what, int root, MPI_Comm among) {
        return mpi_itself().bcast(data, n, what, root, among);
    }
    static int barrier(MPI_Comm among) { return mpi_itself().barrier(among); }
    static int allgather(void const* mine, int n, MPI_Datatype what, void* all, int of_each, MPI_Datatype as, MPI_Comm among) {
        return mpi_itself().allgather(mine, n, what, all, of_each, as, among);
    }
};

/// The ranks of a communicator, on one of its own.
class pmpi_bootstrap final : public detail::mpi_ranks<pmpi_calls> {
public:
    /// Collective. Errors: peer, if MPI fails.
    explicit pmpi_bootstrap(MPI_Comm of = MPI_COMM_WORLD) : mpi_ranks(of) {}
    /// Collective; before PMPI_Finalize.
    ~pmpi_bootstrap() override { free_communicator(); }
    pmpi_bootstrap(pmpi_bootstrap const&) = delete;
    pmpi_bootstrap& operator=(pmpi_bootstrap const&) = delete;

    /// From now on so many ranks pretend to be a machine (SODE_MACHINE_SIZE); 0: as they are.
    pmpi_bootstrap& divide(int machine_size) noexcept {
        machine_size_ = machine_size;
        return *this;
    }
    [[nodiscard]] std::vector<int> machines() override {
        auto all = mpi_ranks::machines();
        return machine_size_ > 0 ? divided_machines(std::move(all), machine_size_) : all;
    }

private:
    int machine_size_ = 0;
};

/// Errors: peer, where `status` is not MPI_SUCCESS.
inline void check(int status, char const* call) {
    detail::check_mpi_by<pmpi_calls>(status, call);
}

} // namespace sode::internal::interpose
