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

/// What a march is over, for those who know no types.
struct march_terms {
    void const* step = nullptr; ///< tells steps of different types apart
    int dims = 0;
    std::array<index_t, max_dims> lower{}; ///< of all indices that it runs over
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> owned_lower{}; ///< of this rank's part of the index space
    std::array<index_t, max_dims> owned_upper{};
    bool one_by_one = false; ///< single steps only: loops are checked, or an index space is dealt out
    int threads = 1;
    std::span<halo_source const> changing;
    std::span<halo_source const> constant;
};

/// How the steps of one march are taken: how many at a time, and what is exchanged before. Kept by the exchange that they belong
/// to, from one march to the next.
class SODE_API marching {
public:
    marching() = default;
    virtual ~marching() = default;
    marching(marching const&) = delete;
    marching& operator=(marching const&) = delete;
    marching(marching&&) = delete;
    marching& operator=(marching&&) = delete;

    /// A march of so many steps begins: what it reads and does not change may have changed since the last one.
    virtual void begin(index_t steps) = 0;
    /// What comes next, of so many steps that are left: for one step nothing has been done yet; for more all halos are there, or
    /// on their way (tile_shape::under_way). Steps are the same on all ranks. Errors: those of reflection::wait().
    [[nodiscard]] virtual tile_shape const& next(index_t left) = 0;
    /// Halos that are on their way get on, without waiting.
    virtual void get_on() = 0;
    /// Waits for them. Errors: those of reflection::wait().
    virtual void arrive() = 0;
    /// The same where something has been thrown, which is the news.
    virtual void settle() noexcept = 0;
    /// That is over.
    virtual void done() = 0;
    /// Of a field that changes.
    [[nodiscard]] virtual walled_block const& block(std::size_t field) const = 0;
};

} // namespace sode::detail
