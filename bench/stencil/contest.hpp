// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "stencil/block_length.hpp"
#include "stencil/solver.hpp"
#include "support/control.hpp"
#include "support/gate.hpp"
#include "support/report.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// A way of solving the problem. Every `stride`-th rank works on it, from rank 0 on; the others sleep meanwhile, because their
/// cores belong to the threads of those that work.
struct contestant {
    std::string name;
    int stride = 1;
    std::unique_ptr<solver> mine; ///< nullptr on the ranks that sleep
    bool solves = true;           ///< false: a limit (support/limit.hpp), whose result is nothing to be compared
    int at_a_time = 1;            ///< the most steps that it takes in one pass over memory
};

/// Solvers of one problem by turns in one job. Every function is collective over the ranks of the control block.
class contest {
public:
    /// `gates`: one a rank, in memory that all ranks share.
    contest(control& shared, gate* gates) noexcept : shared_(&shared), gates_(gates) {}

    void add(contestant c) { all_.push_back(std::move(c)); }

    [[nodiscard]] std::vector<std::string> limits() const;

    /// `turns` blocks of each, one after the other; the median of a block is its mean time of a step. `steps` 0: steps_of_block().
    /// Throws std::runtime_error if the solvers do not agree on the result, or if a block is too short for a pass of one of them.
    /// `first`: steps of each before anything is measured.
    [[nodiscard]] std::vector<sample> run(int turns, int steps, int first = 2);

private:
    /// Microseconds that `steps` took, after `warm_up` others.
    double timed(contestant& c, int warm_up, int steps);
    [[nodiscard]] block_time block(contestant& c, int steps);
    [[nodiscard]] double probe();
    void compare();

    control* shared_;
    gate* gates_;
    tick_rate rate_;
    std::vector<contestant> all_;
};

} // namespace sode::internal::bench
