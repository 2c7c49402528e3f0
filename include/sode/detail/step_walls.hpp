// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/tile_order.hpp>
#include <sode/detail/wall.hpp>
#include <sode/element_code.hpp>

#include <array>
#include <cstring>

namespace sode::detail {

/// The memory of one field of a march, and the boundary conditions around it.
struct walled_block {
    sode::detail::walls const* rules = nullptr; ///< null: the exchange fills nothing
    std::array<index_t, max_dims> lower{};      ///< layers below and above that an exchange fills
    std::array<index_t, max_dims> upper{};
    std::array<index_t, max_dims> origin{};  ///< indices of the first element
    std::array<index_t, max_dims> strides{}; ///< distance between consecutive elements, in elements
    index_t components = 1;
    index_t apart = 0; ///< distance between components, in elements
};

/// Fills ghost elements outside the domain between the time steps of a tile, according to boundary(). The elements are filled
/// window by window, in the same order as by the exchange before the first step: dimension by dimension, from dimension 0 (see
/// boundary.hpp).
template <class T, int N> class step_walls {
public:
    step_walls(walled_block const& what, tile_shape const& shape, box<N> const& owned)
        : what_(what), shape_(shape), owned_(owned) {}

    [[nodiscard]] bool none() const noexcept { return what_.rules == nullptr || owned_.empty(); }

    /// Fills the ghost elements that depend on the elements in `window`, which have completed a time step. \param valid see
    /// tile_order
    void fill(T* block, box<N> const& valid, box<N> const& window) const {
        for (index_t c = 0; c < what_.components; ++c) {
            auto inside = intersect(valid, window), filled = inside;
            for (std::size_t d = 0; d < N; ++d)
                for (std::size_t side : {0U, 1U}) {
                    auto const* const rule = rule_of(d, side, c);
                    if (!rule) continue;
                    // Ghost elements are filled together with the window that contains the last element on which they depend.
                    index_t const layers = side == 0 ? what_.lower[d] : what_.upper[d];
                    index_t const trigger = side == 0 ? std::max<index_t>(depth(*rule, layers) - 1, 0) : shape_.extent[d] - 1;
                    if (trigger < window.lower[d] || trigger >= window.upper[d]) continue;
                    box<N> ghosts;
                    for (std::size_t e = 0; e < N; ++e) {
                        ghosts.lower[e] = (e < d ? filled : inside).lower[e];
                        ghosts.upper[e] = (e < d ? filled : inside).upper[e];
                    }
                    ghosts.lower[d] = side == 0 ? -layers : shape_.extent[d];
                    ghosts.upper[d] = ghosts.lower[d] + layers;
                    if (!ghosts.empty()) fill_side(block + c * what_.apart, *rule, d, side, c, ghosts);
                    (side == 0 ? filled.lower : filled.upper)[d] = (side == 0 ? ghosts.lower : ghosts.upper)[d];
                }
        }
    }

    /// The number of inner elements that a rule reads for `layers` layers.
    [[nodiscard]] static index_t depth(wall_rule const& rule, index_t layers) noexcept {
        switch (rule.kind) {
        case wall_kind::nearest: return 1;
        case wall_kind::mirror: return layers;
        case wall_kind::mirror_at_point: return layers + 1;
        case wall_kind::computed: return rule.depth;
        default: return 0;
        }
    }

private:
    [[nodiscard]] wall_rule const* rule_of(std::size_t d, std::size_t side, index_t c) const noexcept {
        bool const here =
            side == 0 ? owned_.lower[d] == 0 && what_.lower[d] > 0 : owned_.upper[d] == shape_.extent[d] && what_.upper[d] > 0;
        if (!here || shape_.wraps[d]) return nullptr;
        auto const& w = (*what_.rules)[d][side];
        if (w.empty()) return nullptr;
        auto const& rule = w[w.size() == 1 ? 0 : static_cast<std::size_t>(c)];
        return rule.kind == wall_kind::untouched || rule.kind == wall_kind::periodic ? nullptr : &rule;
    }

    void fill_side(T* block, wall_rule const& rule, std::size_t d, std::size_t side, index_t c, box<N> const& ghosts) const {
        if (rule.kind == wall_kind::computed) return call(block, rule, d, side, c, ghosts);
        index_t const edge = side == 0 ? 0 : shape_.extent[d] - 1;
        index_t const out = side == 0 ? -1 : 1;
        for (index_t layer = 0; layer < ghosts.extent(static_cast<int>(d)); ++layer) {
            auto slice = ghosts;
            slice.lower[d] = edge + out * (layer + 1);
            slice.upper[d] = slice.lower[d] + 1;
            if (rule.kind == wall_kind::constant) {
                T value;
                std::memcpy(&value, rule.value.data(), sizeof(T));
                each(slice, block, [&](T& ghost) { ghost = value; });
                continue;
            }
            index_t const from = rule.kind == wall_kind::nearest  ? edge
                                 : rule.kind == wall_kind::mirror ? edge - out * layer
                                                                  : edge - out * (layer + 1);
            index_t const distance = (from - slice.lower[d]) * what_.strides[d];
            if constexpr (has_sign<T>)
                if (rule.negative) {
                    each(slice, block, [=](T& ghost) { ghost = static_cast<T>(-(&ghost)[distance]); });
                    continue;
                }
            each(slice, block, [=](T& ghost) { ghost = (&ghost)[distance]; });
        }
    }

    void call(T* block, wall_rule const& rule, std::size_t d, std::size_t side, index_t c, box<N> const& ghosts) const {
        ghost_box where{.first = reinterpret_cast<std::byte*>(block),
                        .dim = static_cast<int>(d),
                        .side = static_cast<int>(side),
                        .component = c,
                        .edge = side == 0 ? 0 : shape_.extent[d] - 1};
        for (std::size_t e = 0; e < N; ++e) {
            where.origin[e] = what_.origin[e];
            where.lower[e] = ghosts.lower[e];
            where.upper[e] = ghosts.upper[e];
            where.strides[e] = what_.strides[e] * static_cast<index_t>(sizeof(T));
            if (shape_.wraps[e]) where.period[e] = shape_.extent[e];
        }
        rule.function->fill(where);
    }

    template <class F> void each(box<N> const& b, T* block, F const& f) const { nest<0>(b, block, f); }
    template <std::size_t D, class F> void nest(box<N> const& b, T* at, F const& f) const {
        at += (b.lower[D] - what_.origin[D]) * what_.strides[D];
        for (index_t i = b.lower[D]; i < b.upper[D]; ++i, at += what_.strides[D]) {
            if constexpr (D + 1 == N)
                f(*at);
            else
                nest<D + 1>(b, at, f);
        }
    }

    walled_block what_;
    tile_shape shape_;
    box<N> owned_;
};

} // namespace sode::detail
