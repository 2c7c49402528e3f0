// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/control.hpp"

#include <sode/bootstrap.hpp>

#include <functional>
#include <memory>
#include <semaphore.h>
#include <vector>

namespace sode::bench {

/// Puts one rank to sleep until another wakes it: a process-shared semaphore, in shared memory.
class gate {
public:
    gate() noexcept { sem_init(&semaphore_, 1, 0); }
    gate(gate const&) = delete;
    gate& operator=(gate const&) = delete;

    void open() noexcept;
    void pass() noexcept;

private:
    sem_t semaphore_;
};

/// One rank of a benchmark whose ranks are forked processes.
class fork_rank {
public:
    fork_rank(int rank, int ranks, void* memory, std::vector<int> cores);

    [[nodiscard]] int rank() const noexcept { return shared_.rank(); }
    [[nodiscard]] int ranks() const noexcept { return shared_.ranks(); }
    [[nodiscard]] control& shared() noexcept { return shared_; }
    [[nodiscard]] gate& sleeper(int of_rank) const noexcept { return gates_[of_rank]; }

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

/// Binds the calling thread.
void bind_to_core(int core) noexcept;

} // namespace sode::bench
