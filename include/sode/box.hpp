// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/types.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <string>

namespace sode {

/// The coordinates of one element.
template <int N> using index = std::array<index_t, static_cast<std::size_t>(N)>;

/// An n-dimensional range of global indices. A box includes its lower bounds and excludes its upper bounds.
///
/// A box with an empty dimension contains no index. Two empty boxes with different bounds are not equal by operator==. An iteration
/// over a box visits the indices in row-major order. Iterate over a box only in set-up code and tests; to loop over elements, use
/// loop().
template <int N> struct box {
    static_assert(N >= 1 && N <= max_dims, "a box has 1 to 7 dimensions");

    index<N> lower{};
    index<N> upper{};

    class iterator;

    [[nodiscard]] static constexpr int rank() noexcept { return N; }

    /// Returns the number of indices in dimension d, which is never negative.
    [[nodiscard]] constexpr index_t extent(int d) const noexcept {
        auto const i = static_cast<std::size_t>(d);
        return std::max<index_t>(upper[i] - lower[i], 0);
    }
    [[nodiscard]] constexpr index_t size() const noexcept {
        index_t n = 1;
        for (int d = 0; d < N; ++d) n *= extent(d);
        return n;
    }
    [[nodiscard]] constexpr bool empty() const noexcept {
        for (int d = 0; d < N; ++d)
            if (extent(d) == 0) return true;
        return false;
    }
    [[nodiscard]] constexpr bool contains(index<N> const& at) const noexcept {
        for (std::size_t d = 0; d < N; ++d)
            if (at[d] < lower[d] || at[d] >= upper[d]) return false;
        return true;
    }
    /// True if this box contains every index of `other`, or if `other` is empty.
    [[nodiscard]] constexpr bool covers(box const& other) const noexcept {
        if (other.empty()) return true;
        for (std::size_t d = 0; d < N; ++d)
            if (other.lower[d] < lower[d] || other.upper[d] > upper[d]) return false;
        return true;
    }

    [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, lower, empty()}; }
    [[nodiscard]] constexpr std::default_sentinel_t end() const noexcept { return {}; }

    friend constexpr bool operator==(box const&, box const&) = default;
};

template <int N> class box<N>::iterator {
public:
    using value_type = index<N>;
    using difference_type = std::ptrdiff_t;

    constexpr iterator() = default;
    constexpr iterator(box const& range, index<N> const& at, bool done) noexcept : range_(range), at_(at), done_(done) {}

    [[nodiscard]] constexpr index<N> const& operator*() const noexcept { return at_; }
    constexpr iterator& operator++() noexcept {
        for (std::size_t d = N; d-- > 0;) {
            if (++at_[d] < range_.upper[d]) return *this;
            at_[d] = range_.lower[d];
        }
        done_ = true;
        return *this;
    }
    constexpr iterator operator++(int) noexcept {
        auto const before = *this;
        ++*this;
        return before;
    }
    friend constexpr bool operator==(iterator const& i, std::default_sentinel_t) noexcept { return i.done_; }

private:
    box range_{};
    index<N> at_{};
    bool done_ = true;
};

/// Returns the box with lower bounds 0 and upper bounds `extents`.
template <int N> [[nodiscard]] constexpr box<N> box_of(index<N> const& extents) noexcept {
    return {{}, extents};
}

template <int N> [[nodiscard]] constexpr box<N> intersect(box<N> a, box<N> const& b) noexcept {
    for (std::size_t d = 0; d < N; ++d) {
        a.lower[d] = std::max(a.lower[d], b.lower[d]);
        a.upper[d] = std::min(a.upper[d], b.upper[d]);
    }
    return a;
}

/// Removes `below[d]` layers at the lower side and `above[d]` layers at the upper side of dimension d. A negative number of layers
/// enlarges the box.
template <int N> [[nodiscard]] constexpr box<N> shrink(box<N> b, index<N> const& below, index<N> const& above) noexcept {
    for (std::size_t d = 0; d < N; ++d) {
        b.lower[d] += below[d];
        b.upper[d] -= above[d];
    }
    return b;
}
template <int N> [[nodiscard]] constexpr box<N> shrink(box<N> const& b, index_t layers) noexcept {
    index<N> all{};
    all.fill(layers);
    return shrink(b, all, all);
}

/// Moves `b` by `distance`.
template <int N> [[nodiscard]] constexpr box<N> shift(box<N> b, index<N> const& distance) noexcept {
    for (std::size_t d = 0; d < N; ++d) {
        b.lower[d] += distance[d];
        b.upper[d] += distance[d];
    }
    return b;
}

/// Returns the box as text, for example "[0:4, 2:9)".
template <int N> [[nodiscard]] std::string to_string(box<N> const& b) {
    std::string text = "[";
    for (std::size_t d = 0; d < N; ++d) text += (d ? ", " : "") + std::to_string(b.lower[d]) + ":" + std::to_string(b.upper[d]);
    return text + ")";
}

} // namespace sode
