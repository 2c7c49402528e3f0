// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>
#include <sode/detail/api.hpp>
#include <sode/detail/wall.hpp>

#include <cstring>
#include <utility>

namespace sode {

namespace detail {
/// Throws a usage error: a function read an element beyond its declared depth.
[[noreturn]] SODE_API void too_deep(index_t k, index_t depth);
template <class T, int N, class F> class ghost_function;
} // namespace detail

/// A ghost element outside the domain: the argument of a function passed to sode::computed().
template <class T, int N> class ghost {
public:
    /// The global indices of the ghost element. The indices are outside the domain in dimension dim(), and possibly also in earlier
    /// dimensions. Indices in periodic dimensions are inside the domain.
    [[nodiscard]] index<N> const& at() const noexcept { return at_; }
    /// dim() returns the dimension that is being filled. side() returns the side of this dimension (0: low, 1: high).
    [[nodiscard]] int dim() const noexcept { return where_->dim; }
    [[nodiscard]] int side() const noexcept { return where_->side; }
    /// The layer of the ghost element: 0 is next to the wall.
    [[nodiscard]] index_t layer() const noexcept { return layer_; }
    /// The component of a bundle; 0 for arrays.
    [[nodiscard]] index_t component() const noexcept { return where_->component; }
    /// Returns an element inside the domain, on a straight line from the ghost element. inner(0) is next to the wall. Throws a
    /// usage error if k is greater than or equal to the `depth` passed to computed().
    [[nodiscard]] T inner(index_t k = 0) const {
        if (k < 0 || k >= depth_) [[unlikely]]
            detail::too_deep(k, depth_);
        T value;
        std::memcpy(&value, edge_ + k * inwards_, sizeof(T));
        return value;
    }

private:
    template <class, int, class> friend class detail::ghost_function;
    ghost(detail::ghost_box const& where, index_t depth) : where_(&where), depth_(depth) {}

    detail::ghost_box const* where_;
    index_t depth_;
    index<N> at_{};
    index_t layer_ = 0;
    std::byte const* edge_ = nullptr;
    index_t inwards_ = 0; // bytes
};

namespace detail {

template <class T, int N, class F> class ghost_function final : public wall_function {
public:
    ghost_function(F f, index_t depth) : function_(std::move(f)), depth_(depth) {}

    void fill(ghost_box const& where) override {
        auto const k = static_cast<std::size_t>(where.dim);
        box<N> all;
        for (std::size_t d = 0; d < N; ++d) all.lower[d] = where.lower[d], all.upper[d] = where.upper[d];
        ghost<T, N> g{where, depth_};
        g.inwards_ = where.side == 0 ? where.strides[k] : -where.strides[k];
        for (auto const& at : all) {
            std::byte* place = where.first;
            for (std::size_t d = 0; d < N; ++d) {
                place += (at[d] - where.origin[d]) * where.strides[d];
                auto const period = where.period[d];
                g.at_[d] = period > 0 ? ((at[d] % period) + period) % period : at[d];
            }
            g.edge_ = place + (where.edge - at[k]) * where.strides[k];
            g.layer_ = (where.side == 0 ? where.edge - at[k] : at[k] - where.edge) - 1;
            T const value = static_cast<T>(function_(std::as_const(g)));
            std::memcpy(place, &value, sizeof(T));
        }
    }

private:
    F function_;
    index_t depth_;
};

} // namespace detail
} // namespace sode
