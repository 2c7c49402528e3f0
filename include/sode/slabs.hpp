// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/box.hpp>

#include <algorithm>
#include <array>

namespace sode::detail {

/// The number of layers on each side of a rank's block that a loop can compute only after the exchange. The margin contains the
/// layers computed from the halo, and the layers that neighbours may read until wait().
struct margin {
    int dims = 0;
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
};

/// Defines the order in which a loop that overlaps an exchange visits a rank's part: slab by slab along the slowest dimension. The
/// inside of a slab can be computed before the halo arrives. The rim of a slab is computed after the halo has arrived. After the
/// halo has arrived, whole slabs are computed. A separate rim is slow: the loop visits only a few elements of each row, and the
/// cache lines of the rim are fetched twice.
template <int N> class slabs {
public:
    /// The approximate number of elements in a slab. With slabs of 2^14 elements, the test for the halo after each
    /// slab costs little. Few slabs are computed before the halo arrives, so few slabs need their rim computed separately.
    static constexpr index_t elements = 1 << 14;

    slabs(box<N> const& local, box<N> const& owned, margin const& m) : local_(local) {
        index<N> lower, upper;
        std::copy_n(m.lower.begin(), N, lower.begin());
        std::copy_n(m.upper.begin(), N, upper.begin());
        inside_ = intersect(local, shrink(owned, lower, upper));
        if (inside_.empty()) inside_.lower[0] = inside_.upper[0] = local.lower[0];
        index_t layer = 1;
        for (std::size_t d = 1; d < N; ++d) layer *= std::max<index_t>(inside_.upper[d] - inside_.lower[d], 1);
        layers_ = std::max<index_t>(elements / layer, 1);
    }

    /// Slabs that contain inner elements cover the layers from first() to last() - 1. If no slab contains inner elements, first()
    /// equals last(). The slab that begins at layer `at` ends before layer behind(at).
    [[nodiscard]] index_t first() const noexcept { return inside_.lower[0]; }
    [[nodiscard]] index_t last() const noexcept { return inside_.upper[0]; }
    [[nodiscard]] index_t behind(index_t at) const noexcept { return std::min(at + layers_, last()); }

    /// Returns the layer from which whole slabs are computed, if the order of the computation must not depend on when the halo
    /// arrives. If `quick` is true, whole slabs begin after an eighth of the slabs. If `quick` is false, or if no slab has a rim,
    /// no slab is computed as a whole.
    [[nodiscard]] index_t whole_from(bool quick) const noexcept {
        bool cut = false;
        for (std::size_t d = 1; d < N; ++d) cut = cut || inside_.lower[d] != local_.lower[d] || inside_.upper[d] != local_.upper[d];
        return cut && quick ? std::min(first() + ((last() - first()) / 8 / layers_ + 1) * layers_, last()) : last();
    }

    [[nodiscard]] box<N> inside(index_t from, index_t to) const noexcept { return between(inside_, from, to); }
    [[nodiscard]] box<N> whole(index_t from, index_t to) const noexcept { return between(local_, from, to); }
    [[nodiscard]] box<N> before_first() const noexcept { return whole(local_.lower[0], first()); }
    [[nodiscard]] box<N> from(index_t at) const noexcept { return whole(at, local_.upper[0]); }

    /// Calls f(box) for each piece of `whole(from, to)` that does not belong to `inside(from, to)`.
    template <class F> void rim(index_t from, index_t to, F f) const {
        // The pieces in slow dimensions come first, because they consist of whole rows.
        box<N> rest = whole(from, to);
        for (std::size_t d = 1; d < N; ++d) {
            box<N> low = rest, high = rest;
            low.upper[d] = inside_.lower[d];
            high.lower[d] = inside_.upper[d];
            if (!low.empty()) f(low);
            if (!high.empty()) f(high);
            rest.lower[d] = inside_.lower[d];
            rest.upper[d] = inside_.upper[d];
        }
    }

private:
    [[nodiscard]] static box<N> between(box<N> b, index_t from, index_t to) noexcept {
        b.lower[0] = from;
        b.upper[0] = to;
        return b;
    }

    box<N> local_;
    box<N> inside_;
    index_t layers_ = 1;
};

} // namespace sode::detail
