// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "halo/ours.hpp"
#include "support/mpi_world.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace sode::internal::bench {

/// The limits of an exchange (support/limit.hpp): every rank copies the same boxes of the same arrays out of the others' memory
/// into its own halos, and the copies within itself. Rows shorter than half a cache line are copied in place, and also by way of
/// packed memory that the ranks share, which is faster for most of them.
///
/// "limit:rows" and "limit:packed" with the loops that the rivals pack with, "limit:kernels" and "limit:kernels-packed" with
/// the library's. Nobody knows before which of them is the least.
class halo_limits {
public:
    /// Collective. Errors: usage, if a rank is on another machine.
    halo_limits(mpi_world const& world, rank_block const& b, reachable_arrays const& arrays);
    ~halo_limits();

    [[nodiscard]] std::vector<std::unique_ptr<subject>> const& subjects() const noexcept { return subjects_; }

private:
    std::vector<rank_block> blocks_; // by rank
    std::vector<fields> everywhere_;
    std::unique_ptr<shared_window> stages_;
    std::vector<std::unique_ptr<subject>> subjects_;
};

} // namespace sode::internal::bench
