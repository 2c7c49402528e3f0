// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/control.hpp"
#include "support/gate.hpp"

#include <sode/bootstrap.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace sode::internal::bench {

/// One rank of a benchmark whose ranks are forked processes.
class fork_rank {
public:
    fork_rank(int rank, int ranks, void* memory, std::vector<int> cores);

    [[nodiscard]] int rank() const noexcept { return shared_.rank(); }
    [[nodiscard]] int ranks() const noexcept { return shared_.ranks(); }
    [[nodiscard]] control& shared() noexcept { return shared_; }
    /// A gate a rank, for those that sleep while others work on their cores.
    [[nodiscard]] gate* gates() const noexcept { return gates_; }

    /// The cores that all ranks together may use; rank r is bound to cores()[r], unless ranks outnumber them.
    [[nodiscard]] std::vector<int> const& cores() const noexcept { return cores_; }

    /// Joins Sode with the same ranks.
    [[nodiscard]] std::unique_ptr<bootstrap> join();

private:
    class fork_bootstrap;

    control shared_;
    gate* gates_;
    char* board_;
    std::vector<int> cores_;
};

/// Runs `body` in `ranks` processes, rank r bound to the r-th core where there are enough, and waits for all of them. No thread may
/// have been started before. A rank that throws or dies ends the others; then, or if the machine refuses, std::runtime_error.
///
/// Needs no MPI and no launcher, so that benchmarks of one machine have nothing else in their way.
void run_forked(int ranks, std::function<void(fork_rank&)> const& body);

} // namespace sode::internal::bench
