// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>
#include <sode/detail/step_walls.hpp>
#include <sode/detail/tile_order.hpp>
#include <sode/halo_source.hpp>

#include <array>
#include <span>

namespace sode::detail {

/// The arguments of a march, without types.
struct march_terms {
    void const* step = nullptr; ///< identifies the type of the step
    int dims = 0;
    std::array<index_t, max_dims> lower{}; ///< bounds of all indices of the loop
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> owned_lower{}; ///< bounds of this rank's part of the index space
    std::array<index_t, max_dims> owned_upper{};
    bool one_by_one = false; ///< one time step per exchange only: the loops are checked, or an index space is cyclic
    int threads = 1;
    std::span<halo_source const> changing;
    std::span<halo_source const> constant;
};

/// Decides how many time steps a march executes per exchange, and which exchange comes first. The exchange owns this object, which
/// exists between marches.
class SODE_API marching {
public:
    marching() = default;
    virtual ~marching() = default;
    marching(marching const&) = delete;
    marching& operator=(marching const&) = delete;
    marching(marching&&) = delete;
    marching& operator=(marching&&) = delete;

    /// Begins a march of `steps` time steps. Arrays that the steps only read may have changed since the last march.
    virtual void begin(index_t steps) = 0;
    /// The next group of time steps, out of the remaining `left` steps. For a group of several steps, all halos have been
    /// exchanged, or the exchange is in progress (tile_shape::under_way). For a single step, nothing has been exchanged yet. The
    /// result is equal on all ranks. Throws the same errors as reflection::wait().
    [[nodiscard]] virtual tile_shape const& next(index_t left) = 0;
    /// Makes progress with the exchange, without waiting.
    virtual void get_on() = 0;
    /// Waits for the exchange. Throws the same errors as reflection::wait().
    virtual void arrive() = 0;
    /// After an exception, waits for everything that is in progress. settle() throws no exception, because the original exception
    /// is reported.
    virtual void settle() noexcept = 0;
    /// With tile_shape::handed, reports that this rank has computed the rows of step s that the rank below needs. give() is called
    /// in step order.
    virtual void give(index_t s) = 0;
    /// Waits for the rows of step s from the rank above. await() is called in step order. Throws the same errors as
    /// reflection::wait().
    virtual void await(index_t s) = 0;
    /// Reports that the group of steps is complete. Throws the same errors as reflection::wait().
    virtual void done() = 0;
    /// The block of a field that the steps change.
    [[nodiscard]] virtual walled_block const& block(std::size_t field) const = 0;
};

} // namespace sode::detail
