// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/domain.hpp>
#include <sode/field.hpp>

namespace sode {

/// Base class of array, buffered and bundle. A distributed array has one index space, and one block of this index space on each
/// rank.
template <int N> class distributed {
public:
    static constexpr int dimensions = N;

    /// owned() returns the global indices that this rank owns. allocated() also includes the rank's shadow. The results of owned()
    /// and allocated() are empty if the rank owns no elements.
    /// Throws a usage error if a dimension is cyclic. For arrays with cyclic dimensions, use owns() and all().
    [[nodiscard]] box<N> owned() const {
        detail::note_own_loops(field_.checks());
        return detail::to_box<N>(field_.owned());
    }
    [[nodiscard]] box<N> allocated() const {
        detail::note_own_loops(field_.checks());
        return detail::to_box<N>(field_.allocated());
    }
    /// True if this rank owns the element or has a copy of the element.
    [[nodiscard]] bool owns(index<N> const& at) const {
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

    /// Returns the rank that owns an element, or the first of several ranks that have copies of the element.
    /// Throws a usage error if the element is outside the array.
    [[nodiscard]] int rank_of(index<N> const& at) const {
        std::array<index_t, max_dims> all{};
        std::copy(at.begin(), at.end(), all.begin());
        return geometry().owner(all);
    }

    /// Ranges for loop(). all() contains all elements. inner() omits the outermost layers of the whole array. on() returns the
    /// range for any box of elements.
    [[nodiscard]] domain<N> all() const { return on(whole()); }
    [[nodiscard]] domain<N> inner(index_t width = 1) const { return inner(shadow{width}); }
    /// The argument gives the number of omitted layers on each side of each dimension, as in a shadow. Throws a usage error if an
    /// entry is `full`, or if the number of entries is neither one nor the number of dimensions.
    [[nodiscard]] domain<N> inner(shadow const& widths) const { return on(detail::without(whole(), widths)); }
    [[nodiscard]] domain<N> on(box<N> const& part) const {
        auto* const job = field_.place().job.get();
        domain<N> d{part, detail::to_box<N>(field_.reach()), field_.checks(), job, detail::workers_of(job)};
        if (geometry().cyclic()) {
            d.cyclic = true;
            for (std::size_t k = 0; k < N; ++k) d.mine[k] = field_.turns_along(static_cast<int>(k));
        }
        return d;
    }

    /// Tells the check `SODE_CHECK=halo` that the halo elements outside the global array are filled. Call outside_is_filled() if
    /// the program's own loops or the initial value have filled elements outside the array. The check cannot observe writes by the
    /// program's own loops. Without SODE_CHECK=halo, outside_is_filled() does nothing.
    void outside_is_filled() { field_.outside_is_filled(); }

    [[nodiscard]] sode::geometry const& geometry() const { return field_.shape(); }
    /// Returns the shape, the memory and the halo of the array for reflect_init().
    [[nodiscard]] detail::halo_source halo() const { return field_.halo(); }

protected:
    explicit distributed(detail::field f) : field_(std::move(f)) {}
    ~distributed() = default;
    distributed(distributed&&) noexcept = default;
    // Code that uses this operator does not compile. After an assignment, or a std::swap of two arrays, plans and views would still
    // refer to the old memory. A program that swapped arrays would compute wrong results.
    distributed& operator=(distributed&&) noexcept {
        static_assert(N < 0, "arrays cannot be assigned or swapped, because plans and views refer to their memory. For two arrays "
                             "that change roles use sode::buffered and flip(); to copy elements use sode::loop or sode::copy");
        return *this;
    }

    detail::field field_;

private:
    [[nodiscard]] box<N> whole() const {
        box<N> b;
        for (std::size_t d = 0; d < N; ++d) b.upper[d] = geometry().axes[d].extent;
        return b;
    }
};

} // namespace sode
