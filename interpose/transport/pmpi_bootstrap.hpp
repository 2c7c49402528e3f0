// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <mpi.h>

namespace sode::interpose {

/// The ranks of MPI_COMM_WORLD, by functions that no tool counts as calls of the program. On a communicator of its own.
class pmpi_bootstrap final : public bootstrap {
public:
    /// Collective. Errors: peer, if MPI fails.
    pmpi_bootstrap();
    /// Collective; before PMPI_Finalize.
    ~pmpi_bootstrap() override;
    pmpi_bootstrap(pmpi_bootstrap const&) = delete;
    pmpi_bootstrap& operator=(pmpi_bootstrap const&) = delete;
    pmpi_bootstrap(pmpi_bootstrap&&) = delete;
    pmpi_bootstrap& operator=(pmpi_bootstrap&&) = delete;

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] std::string_view name() const noexcept override { return "MPI"; }
    [[nodiscard]] std::vector<int> machines() override;
    void allgather(void const* mine, std::size_t bytes, void* all) override;
    void barrier() override;

    [[nodiscard]] MPI_Comm communicator() const noexcept { return communicator_; }

private:
    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
    std::vector<int> machines_;
};

/// Errors: peer, where `status` is not MPI_SUCCESS.
void check(int status, char const* call);

} // namespace sode::interpose
