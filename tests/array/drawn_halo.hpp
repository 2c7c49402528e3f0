// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_halo.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace sode::internal::testing {

/// A shape, the shadow of its arrays and what is to be exchanged of it, drawn at random: the same on all ranks.
template <int N> class drawn_halo {
public:
    /// Shadows of at most `widest` layers. Most often blocks have as many elements, and `more`; if `more` is 0, they may have less.
    drawn_halo(runtime const& rt, generator& g, index_t widest, index_t more = 0) {
        index_t most = 0;
        for (std::size_t d = 0; d < N; ++d) {
            below_[d] = pick(g, 0, widest), above_[d] = pick(g, 0, widest);
            what_.lower[d] = pick(g, 0, below_[d]), what_.upper[d] = pick(g, 0, above_[d]);
            if (chance(g, 60)) what_.lower[d] = below_[d], what_.upper[d] = above_[d];
            what_.periodic[d] = chance(g, 40);
            most = std::max({most, what_.lower[d], what_.upper[d]});
        }
        what_.corners = chance(g, 60);
        bool const narrow = more == 0 && chance(g, 35);
        shape_ = make_shape(g, detail::place{rt}, N, narrow ? 1 : std::max<index_t>(most, 1) + more);
    }

    [[nodiscard]] asked const& what() const { return what_; }
    [[nodiscard]] random_shape const& shape() const { return shape_; }
    [[nodiscard]] shadow layers() const { return shadow_of(below_, above_); }
    [[nodiscard]] shadow fetched() const { return shadow_of(what_.lower, what_.upper); }
    [[nodiscard]] reflect_options options() const {
        return by_each([&]<std::size_t... D>(std::index_sequence<D...>) {
            reflect_options o{.corners = what_.corners};
            o.periodic = by_dimension{bool{what_.periodic[D]}...};
            return o;
        });
    }
    [[nodiscard]] box<N> owned() const { return detail::to_box<N>(shape_.map.owned()); }
    /// `block` with its shadow; empty if it is.
    [[nodiscard]] box<N> with_shadow(box<N> block) const {
        if (block.empty()) return block;
        for (std::size_t d = 0; d < N; ++d) block.lower[d] -= below_[d], block.upper[d] += above_[d];
        return block;
    }
    /// As origin() says.
    [[nodiscard]] std::optional<index<N>> origin(index<N> const& at, box<N> const& owned) const {
        return testing::origin<N>(at, owned, shape_.extents, what_);
    }

private:
    template <class F> static auto by_each(F f) { return f(std::make_index_sequence<static_cast<std::size_t>(N)>{}); }
    static shadow shadow_of(std::array<index_t, max_dims> const& lower, std::array<index_t, max_dims> const& upper) {
        return by_each([&]<std::size_t... D>(std::index_sequence<D...>) { return shadow{shadow::layers{lower[D], upper[D]}...}; });
    }

    asked what_;
    std::array<index_t, max_dims> below_{}, above_{};
    random_shape shape_;
};

template <class T, int N> T& element(view<T, N> const& v, index<N> const& at) {
    return std::apply([&](auto... i) -> T& { return v(i...); }, at);
}

template <std::size_t N> std::string text_of(std::array<index_t, N> const& at) {
    std::string text;
    for (auto i : at) text += std::to_string(i) + ' ';
    return text;
}

/// Case `c` of a series: everything about it follows from this.
inline generator series(std::uint64_t seed, int c) {
    return generator{seed * 1000003 + static_cast<std::uint64_t>(c)};
}
inline std::string label_of(int c, int dims, int type) {
    return "case " + std::to_string(c) + " (" + std::to_string(dims) + " dimensions, type " + std::to_string(type) + ")";
}

} // namespace sode::internal::testing
