// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::detail {

/// The shape of a pass, in which a rank executes several time steps on its block. The shape does not depend on element types.
/// Dimensions are those of the arrays.
struct tile_shape {
    index_t steps = 1;                     ///< steps in one pass
    index_t rows = 1;                      ///< number of rows in dimension 0 by which a step advances at a time
    index_t width = 0;                     ///< width of a strip in dimension 1; 0: the whole dimension
    std::array<index_t, max_dims> lower{}; ///< number of elements below and above that a step reads
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> lag{};    ///< distance between consecutive steps, in dimensions 0 and 1
    std::array<index_t, max_dims> extent{}; ///< extents of the whole arrays
    std::array<bool, max_dims> wraps{};     ///< periodic dimensions
    index_t under_way = 0;                  ///< > 0: the exchange before the pass, for this number of steps, is in progress
    bool handed = false;                    ///< ranks pass rows of dimension 0 to each other between steps, see handed_rows
};

/// Rows of dimension 0 that ranks pass to each other, in a pass that computes no row twice. `reach` is the number of rows that a
/// step reads on each side.
///
/// Each step is shifted up by one reach relative to the previous step. Step 1 begins below the block, and the last step ends above
/// the block (parallelograms, as in a wavefront). The rank needs no rows from the rank below. From the rank above, step s needs the
/// first rows of step s - 1. The neighbour computes these rows at the beginning of its pass. After the pass, the neighbour receives
/// the rows that belong to its block.
///
/// On both sides, a step never overwrites rows that earlier steps have passed on, because all passed rows fit into the two buffers.
struct handed_rows {
    index_t reach = 1;
    index_t steps = 1;

    /// The number of rows by which step 1 begins below the block, and by which the last step ends above the block.
    [[nodiscard]] constexpr index_t below() const noexcept { return steps / 2 * reach; }
    [[nodiscard]] constexpr index_t above() const noexcept { return (steps - 1) * reach - below(); }
    /// The first row of step s, counted from the first row of the block.
    [[nodiscard]] constexpr index_t shift(index_t s) const noexcept { return (s - 1) * reach - below(); }
    /// The number of rows of each step, except the last, that are passed to the rank below, starting with the first row.
    [[nodiscard]] constexpr index_t handed() const noexcept { return 2 * reach; }
    /// The number of rows below the block that a pass reads at its beginning.
    [[nodiscard]] constexpr index_t needed() const noexcept { return below() + reach; }
};

/// The parts of a pass.
enum class tile_part : std::uint8_t {
    all,   ///< everything at once, because the halos have arrived
    inner, ///< during the exchange: elements that do not need the halo, and that neighbours do not read
    rest   ///< after the exchange: all other elements
};

struct tile_span {
    index_t lower = 0, upper = 0;
};
/// The indices in dimension d that step s computes during the exchange, for a block from `owned.lower` to `owned.upper`. The
/// indices exclude the layers that neighbours read. Each step stays one lag farther inside than the previous step. Therefore the
/// neighbours of an excluded element are at most one step ahead, and the two buffers still contain the values that the excluded
/// element needs.
[[nodiscard]] constexpr tile_span inner_span(tile_shape const& shape, std::size_t d, index_t s, tile_span owned) noexcept {
    auto const layers = [&](index_t neighbours_read) {
        return std::max(shape.under_way * neighbours_read, shape.lag[d]) + (s - 1) * shape.lag[d];
    };
    if (shape.wraps[d] || owned.lower > 0) owned.lower += layers(shape.upper[d]);
    if (shape.wraps[d] || owned.upper < shape.extent[d]) owned.upper -= layers(shape.lower[d]);
    owned.upper = std::max(owned.lower, owned.upper);
    return owned;
}

/// The order of a pass: time skewing in place (skewed tiles: Wolf and Lam, PLDI 1991; wavefront: Wellein et al., COMPSAC 2009).
///
/// Step s overwrites the result of step s - 2, in the same half of the pair as without tiles. Step s follows step s - 1 at a
/// distance. This distance is so large that step s - 1 has already read the elements that step s overwrites, and has already
/// written the elements that step s reads. Time skewing needs no additional memory. After the pass, both buffers contain the same
/// values as after single steps.
///
/// A rank computes step s - 1 of its neighbours' elements redundantly: step s covers the block and, around it, (steps - s) times
/// the layers that a step reads, within `bounds`. If tile_shape::handed is set, the rank receives these elements from its
/// neighbours in dimension 0.
template <int N> class tile_order {
public:
    /// \param owned   the rank's block
    /// \param bounds  the range of the loop
    tile_order(tile_shape const& shape, box<N> const& owned, box<N> const& bounds) : shape_(shape), owned_(owned), bounds_(bounds) {
        for (std::size_t d = 0; d < N; ++d)
            if (shape.wraps[d]) bounds_.lower[d] = -far_away, bounds_.upper[d] = far_away;
    }

    /// The elements that are valid after step s (computed or unchanged), and that later steps may read.
    [[nodiscard]] box<N> valid(index_t s) const noexcept {
        auto b = owned_;
        for (std::size_t d = 0; d < N; ++d) {
            if (d == 0 && shape_.handed) {
                auto const shift = handed_rows{shape_.lower[0], shape_.steps}.shift(s);
                if (owned_.lower[0] > 0) b.lower[0] += shift;
                if (owned_.upper[0] < shape_.extent[0] && s > 0) b.upper[0] += shift;
                continue;
            }
            b.lower[d] -= (shape_.steps - s) * shape_.lower[d];
            b.upper[d] += (shape_.steps - s) * shape_.upper[d];
            if (shape_.wraps[d]) continue;
            b.lower[d] = std::max<index_t>(b.lower[d], 0);
            b.upper[d] = std::min(b.upper[d], shape_.extent[d]);
        }
        return b;
    }
    /// The elements of valid(s) that step s computes.
    [[nodiscard]] box<N> computed(index_t s) const noexcept { return intersect(valid(s), bounds_); }
    /// The elements that are valid after step s while the exchange is in progress.
    [[nodiscard]] box<N> inner(index_t s) const noexcept {
        auto b = valid(s);
        for (std::size_t d = 0; d < N; ++d) {
            auto const [lower, upper] = inner_span(shape_, d, s, {owned_.lower[d], owned_.upper[d]});
            b.lower[d] = std::max(b.lower[d], lower);
            b.upper[d] = std::min(b.upper[d], upper);
        }
        return b;
    }
    [[nodiscard]] box<N> held(tile_part part, index_t s) const noexcept { return part == tile_part::inner ? inner(s) : valid(s); }

    /// Calls f(box) for the elements of step s that a part of the pass computes in a window. For tile_part::rest, f is called for
    /// several boxes around the inner box.
    template <class F> void pieces(tile_part part, index_t s, box<N> const& window, F const& f) const {
        auto left = intersect(intersect(held(part, s), bounds_), window);
        if (left.empty()) return;
        auto const done = part == tile_part::rest ? intersect(inner(s), left) : box<N>{};
        if (part != tile_part::rest || done.empty()) return f(left);
        // The pieces in slow dimensions come first, because they consist of whole rows.
        for (std::size_t d = 0; d < N; ++d) {
            auto below = left, above = left;
            below.upper[d] = left.lower[d] = done.lower[d];
            above.lower[d] = left.upper[d] = done.upper[d];
            if (!below.empty()) f(below);
            if (!above.empty()) f(above);
        }
    }

    /// True if step s must not compute `window` before rows of step s - 1 have arrived from the rank above.
    [[nodiscard]] bool awaits(index_t s, box<N> const& window) const noexcept {
        if (!shape_.handed || s < 2 || owned_.upper[0] >= shape_.extent[0]) return false;
        return std::min(window.upper[0], valid(s).upper[0]) + shape_.upper[0] > valid(s - 1).upper[0];
    }
    /// True if step s has computed all rows that the rank below needs when `window` is complete.
    [[nodiscard]] bool gives(index_t s, box<N> const& window) const noexcept {
        if (!shape_.handed || s >= shape_.steps || owned_.lower[0] == 0) return false;
        auto const here = valid(s);
        return std::min(window.upper[0], here.upper[0]) >= here.lower[0] + handed_rows{shape_.lower[0], shape_.steps}.handed();
    }

    /// Calls f(s, window) in a valid order. The windows of a step cover every element exactly once. Compute the elements that are
    /// both in the window and in computed(s).
    template <class F> void for_each(F const& f) const {
        auto const all = valid(1);
        if (all.empty()) return;
        if constexpr (N == 1) {
            strip(everything(), all, f);
        } else {
            index_t const width = shape_.width > 0 ? shape_.width : far_away;
            for (index_t at = all.lower[1] + width;; at += width) {
                // The first strip has no lower bound, and the last strip has no upper bound.
                box<N> cut = everything();
                if (at != all.lower[1] + width) cut.lower[1] = at - width;
                bool const last = at >= all.upper[1];
                if (!last) cut.upper[1] = at;
                strip(cut, all, f);
                if (last) return;
            }
        }
    }

    [[nodiscard]] static box<N> everything() noexcept {
        box<N> b;
        b.lower.fill(-far_away);
        b.upper.fill(far_away);
        return b;
    }

private:
    static constexpr index_t far_away = index_t{1} << 40;

    template <class F> void strip(box<N> const& cut, box<N> const& all, F const& f) const {
        auto const end = valid(shape_.steps).upper[0] + (shape_.steps - 1) * shape_.lag[0];
        for (index_t at = all.lower[0]; at < end; at += shape_.rows)
            for (index_t s = 1; s <= shape_.steps; ++s) {
                auto window = cut;
                window.lower[0] = at - (s - 1) * shape_.lag[0];
                window.upper[0] = window.lower[0] + shape_.rows;
                if constexpr (N > 1) {
                    if (cut.lower[1] > -far_away) window.lower[1] -= (s - 1) * shape_.lag[1];
                    if (cut.upper[1] < far_away) window.upper[1] -= (s - 1) * shape_.lag[1];
                }
                auto const here = valid(s);
                if (window.upper[0] > here.lower[0] && window.lower[0] < here.upper[0]) f(s, window);
            }
    }

    tile_shape shape_;
    box<N> owned_;
    box<N> bounds_;
};

} // namespace sode::detail
