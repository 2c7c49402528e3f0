// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/domain.hpp>
#include <sode/field.hpp>

namespace sode {

/// What array, buffered and bundle have in common: a shape that all ranks know, of which each rank holds a block.
template <int N> class distributed {
public:
    /// The global indices that this rank owns, and those that it has memory for (owned and shadow); both empty if it owns nothing.
    /// Errors: usage, if a dimension is cyclic; see owns() and all().
    [[nodiscard]] box<N> owned() const { return detail::to_box<N>(field_.owned()); }
    [[nodiscard]] box<N> allocated() const { return detail::to_box<N>(field_.allocated()); }
    /// True if this rank owns the element (or a copy of it).
    [[nodiscard]] bool owns(index<N> const& at) const noexcept {
        for (std::size_t d = 0; d < N; ++d)
            if (at[d] < 0 || at[d] >= geometry().axes[d].extent) return false;
        std::array<index_t, max_dims> all{};
        std::copy(at.begin(), at.end(), all.begin());
        auto const places = geometry().places(all);
        auto const mine = geometry().owned(field_.place().rank);
        for (std::size_t d = 0; d < N; ++d)
            if (places[d] < mine[d].lower || places[d] >= mine[d].upper) return false;
        return true;
    }

    /// The rank that owns an element; the first one that has a copy, where there are several. Errors: usage, outside the array.
    [[nodiscard]] int rank_of(index<N> const& at) const {
        std::array<index_t, max_dims> all{};
        std::copy(at.begin(), at.end(), all.begin());
        return geometry().owner(all);
    }

    /// Loop ranges: all elements, and any box of them. See loop().
    [[nodiscard]] domain<N> all() const {
        box<N> whole;
        for (std::size_t d = 0; d < N; ++d) whole.upper[d] = geometry().axes[d].extent;
        return on(whole);
    }
    [[nodiscard]] domain<N> on(box<N> const& part) const {
        domain<N> d{part, detail::to_box<N>(field_.reach()), field_.checks(), field_.place().job};
        if (geometry().cyclic()) {
            d.cyclic = true;
            for (std::size_t k = 0; k < N; ++k) d.mine[k] = field_.turns_along(static_cast<int>(k));
        }
        return d;
    }

    [[nodiscard]] sode::geometry const& geometry() const noexcept { return field_.shape(); }
    /// For reflect_init().
    [[nodiscard]] detail::halo_source halo() const { return field_.halo(); }

protected:
    explicit distributed(detail::field f) : field_(std::move(f)) {}
    ~distributed() = default;
    distributed(distributed&&) noexcept = default;
    distributed& operator=(distributed&&) noexcept = default;

    detail::field field_;
};

} // namespace sode
