// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/distributed.hpp>

namespace sode {

/// Base class of double-buffered arrays: buffered, buffered_bundle, attached_buffered. Both buffers have the same shape. After
/// flip(), a view still refers to the buffer for which the view was created. `Rank` is the number of indices of an element. For a
/// bundle, `Rank` is the number of dimensions plus one.
template <class T, int N, int Rank = N> class two_halves : public distributed<N> {
public:
    using value_type = T;

    /// Throws a usage error if a dimension is cyclic.
    [[nodiscard]] view<T, Rank> now() { return this->field_.template view_of<T, Rank>(parity()); }
    [[nodiscard]] view<T, Rank> next() { return this->field_.template view_of<T, Rank>(1 - parity()); }
    [[nodiscard]] view<T const, Rank> now() const { return this->field_.template view_of<T const, Rank>(parity()); }
    [[nodiscard]] view<T const, Rank> next() const { return this->field_.template view_of<T const, Rank>(1 - parity()); }

    /// Exchanges the roles of now() and next(). For arrays in device memory, flip() affects only work that is enqueued after
    /// flip().
    void flip() { this->field_.flip(); }
    /// Returns the number of the buffer that is now(), 0 or 1. The initial value is 0.
    [[nodiscard]] int parity() const noexcept { return this->field_.half(); }

protected:
    explicit two_halves(detail::field f) : distributed<N>(std::move(f)) {}
    ~two_halves() = default;
    two_halves(two_halves&&) noexcept = default;
    two_halves& operator=(two_halves&&) noexcept = default;
};

} // namespace sode
