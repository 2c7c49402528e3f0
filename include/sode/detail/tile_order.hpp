// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

namespace sode::detail {

/// How a rank takes several steps in one pass over its block: the same for all types. Dimensions as those of the arrays.
struct tile_shape {
    index_t steps = 1;                     ///< in one pass
    index_t rows = 1;                      ///< of dimension 0 that a step advances at a time
    index_t width = 0;                     ///< of a strip in dimension 1; 0: all of it
    std::array<index_t, max_dims> lower{}; ///< elements below and above that a step reads
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> lag{};    ///< how far a step stays behind the one before it, in dimensions 0 and 1
    std::array<index_t, max_dims> extent{}; ///< of the whole arrays
    std::array<bool, max_dims> wraps{};     ///< dimensions that are periodic
    index_t under_way = 0;                  ///< the exchange before the pass, for so many steps, is not over yet; 0: it is
};

/// What of a pass is done when.
enum class tile_part : std::uint8_t {
    all,   ///< all at once: the halos are there
    inner, ///< while the exchange is under way: what needs no halo, and nothing that neighbours still read
    rest   ///< after it
};

struct tile_span {
    index_t lower = 0, upper = 0;
};
/// Of dimension d what step s computes before the exchange is over, of a block from `owned.lower` to `owned.upper`. It begins
/// behind the layers that neighbours read and ends before them, and each step stays a lag further inside than the one before. So
/// beside an element that has been left out, all others are at most one step ahead: the two halves still hold what it needs.
[[nodiscard]] constexpr tile_span inner_span(tile_shape const& shape, std::size_t d, index_t s, tile_span owned) noexcept {
    auto const layers = [&](index_t neighbours_read) {
        return std::max(shape.under_way * neighbours_read, shape.lag[d]) + (s - 1) * shape.lag[d];
    };
    if (shape.wraps[d] || owned.lower > 0) owned.lower += layers(shape.upper[d]);
    if (shape.wraps[d] || owned.upper < shape.extent[d]) owned.upper -= layers(shape.lower[d]);
    owned.upper = std::max(owned.lower, owned.upper);
    return owned;
}

/// The order of a pass: time skewing in place (M. Wolf and M. Lam's skewed tiles; Wellein et al., COMPSAC 2009, call it a
/// wavefront).
///
/// Step s writes over what step s - 2 wrote, in the half of the pair that it would write to anyway. It stays so far behind step
/// s - 1 that everything which that one reads has been read, and everything that it needs itself is there. So no other memory is
/// needed; after the pass both halves hold what they hold after as many single steps.
///
/// A rank that has no neighbour's step s - 1 computes it too: step s covers the block and (steps - s) times the layers that a step
/// reads around it, within `bounds`.
template <int N> class tile_order {
public:
    /// \param owned   the rank's block
    /// \param bounds  what the loop runs over
    tile_order(tile_shape const& shape, box<N> const& owned, box<N> const& bounds) : shape_(shape), owned_(owned), bounds_(bounds) {
        for (std::size_t d = 0; d < N; ++d)
            if (shape.wraps[d]) bounds_.lower[d] = -far_away, bounds_.upper[d] = far_away;
    }

    /// The elements that hold step s when it is over, as far as later steps look at them: computed, or left as they are.
    [[nodiscard]] box<N> valid(index_t s) const noexcept {
        auto b = owned_;
        for (std::size_t d = 0; d < N; ++d) {
            b.lower[d] -= (shape_.steps - s) * shape_.lower[d];
            b.upper[d] += (shape_.steps - s) * shape_.upper[d];
            if (shape_.wraps[d]) continue;
            b.lower[d] = std::max<index_t>(b.lower[d], 0);
            b.upper[d] = std::min(b.upper[d], shape_.extent[d]);
        }
        return b;
    }
    /// Those of them that step s computes.
    [[nodiscard]] box<N> computed(index_t s) const noexcept { return intersect(valid(s), bounds_); }
    /// Those that hold step s before the exchange is over.
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

    /// Calls f(box) for what a part computes of step s in a window: one box, but of the rest what is around the inner one.
    template <class F> void pieces(tile_part part, index_t s, box<N> const& window, F const& f) const {
        auto left = intersect(intersect(held(part, s), bounds_), window);
        if (left.empty()) return;
        auto const done = part == tile_part::rest ? intersect(inner(s), left) : box<N>{};
        if (part != tile_part::rest || done.empty()) return f(left);
        // Pieces of the slow dimensions first: they keep whole rows.
        for (std::size_t d = 0; d < N; ++d) {
            auto below = left, above = left;
            below.upper[d] = left.lower[d] = done.lower[d];
            above.lower[d] = left.upper[d] = done.upper[d];
            if (!below.empty()) f(below);
            if (!above.empty()) f(above);
        }
    }

    /// Calls f(s, window) in the order in which it may be done. The windows of a step cover everything, once; what is to be done is
    /// what lies in a window and is computed().
    template <class F> void for_each(F const& f) const {
        auto const all = valid(1);
        if (all.empty()) return;
        if constexpr (N == 1) {
            strip(everything(), all, f);
        } else {
            index_t const width = shape_.width > 0 ? shape_.width : far_away;
            for (index_t at = all.lower[1] + width;; at += width) {
                // The first strip begins, and the last one ends, wherever there is something.
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
