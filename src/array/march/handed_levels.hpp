// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/march/march_limits.hpp"

#include <sode/halo.hpp>

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// What ranks of one machine exchange in a pass in which no element is computed twice (detail::handed_rows): one plan before the
/// pass, one for each level that the rank above hands to the rank below, and one after it. A level is what the fields hold after a
/// step; a row keeps its place, and the block moves: so each of them is a halo of one side, of a block that begins elsewhere in the
/// same memory.
///
/// Who hands a level packs it into a stage and computes on. Its place there is free again when the rank below has read that level
/// two passes ago, which it acknowledges.
class handed_levels {
public:
    /// Why ranks cannot hand levels in a march of so many steps at a time; empty: they can. The same on all ranks.
    [[nodiscard]] static std::string_view refused(detail::job const& owner, march_limits const& limits, geometry const& shape,
                                                  detail::tile_shape const& pass);

    /// Collective. \param changing  fields that the steps change; they outlive it
    handed_levels(reflect_options const& options, march_limits const& limits, index_t steps,
                  std::span<detail::halo_source const> changing);

    /// Before the first step: fetches the rows below the block.
    void begin();
    void give(index_t level);
    void await(index_t level);
    /// After the last step: each rank gets the rows of its block that the rank below has computed.
    void finish();

    /// Calls f(reflection) for each level that was begun, and will not be waited for: after an exception.
    template <class F> void abandon(F const& f) {
        while (awaited_ < given_) f(*levels_[static_cast<std::size_t>(awaited_++)]);
    }
    /// Calls f(reflection) for each of its exchanges.
    template <class F> void for_each(F const& f) const {
        f(*before_);
        for (auto const& level : levels_) f(*level);
        if (after_) f(*after_);
    }
    /// The exchanges before, of the first level, and after.
    [[nodiscard]] std::string explain() const;

private:
    detail::handed_rows order_;
    std::span<detail::halo_source const> changing_;
    // By field, the half that holds even levels and the one that holds odd ones, in the pass at hand.
    std::vector<std::array<std::shared_ptr<int>, 2>> halves_;
    std::unique_ptr<reflection> before_;
    std::vector<std::unique_ptr<reflection>> levels_; // from level 1 on
    std::unique_ptr<reflection> after_;               // null: nothing is computed above a block
    index_t given_ = 0, awaited_ = 0;
};

} // namespace sode::internal
