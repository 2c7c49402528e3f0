// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "array/random_halo.hpp"

#include <vector>

/// What ghost elements outside the domain should hold, worked out by one rank with the whole array before it: dimension by
/// dimension, element by element. Nothing of the library is used but its names.
namespace sode::internal::testing {

enum class at_wall { untouched, constant, nearest, mirror, mirror_at_point, computed, periodic };

template <class T> struct side_model {
    at_wall kind = at_wall::untouched;
    bool negative = false;
    T value{};
    index_t depth = 1;
};

/// One component of a field: sides[dimension][low or high].
template <class T, int N> using sides_model = std::array<std::array<side_model<T>, 2>, static_cast<std::size_t>(N)>;

/// What the function of the tests returns: something of all that it is told.
template <class T, int N, class Inner>
T made_up(index<N> const& at, int dim, int side, index_t layer, index_t component, index_t depth, Inner inner) {
    index_t sum = 100 * dim + 50 * side + 7 * layer + 1000 * component;
    for (std::size_t d = 0; d < N; ++d) sum += at[d] * static_cast<index_t>(d + 2);
    return static_cast<T>(static_cast<T>(sum % 997) + inner(depth - 1) - inner(std::min(layer, depth - 1)));
}

/// The array and as many layers around it as the exchange fills.
template <class T, int N> class serial_model {
public:
    serial_model(box<N> const& domain, std::array<index_t, max_dims> const& lower, std::array<index_t, max_dims> const& upper,
                 sides_model<T, N> sides, index_t component = 0)
        : domain_(domain), all_(domain), sides_(std::move(sides)), component_(component) {
        for (std::size_t d = 0; d < N; ++d) all_.lower[d] -= lower[d], all_.upper[d] += upper[d];
        values_.resize(static_cast<std::size_t>(all_.size()));
    }

    template <class F> void set(F value_of) {
        for (auto const& at : domain_) (*this)[at] = value_of(at);
        fill_outside();
    }
    void fill_outside() {
        for (std::size_t d = 0; d < N; ++d) {
            auto part = all_; // everything in the dimensions before, inside in those behind
            for (std::size_t k = d + 1; k < N; ++k) part.lower[k] = domain_.lower[k], part.upper[k] = domain_.upper[k];
            for (auto const& at : part)
                if (side_of(at, d) >= 0) (*this)[at] = fill(at, d);
        }
    }

    [[nodiscard]] T& operator[](index<N> const& at) {
        index_t place = 0;
        for (std::size_t d = 0; d < N; ++d) place = place * all_.extent(static_cast<int>(d)) + at[d] - all_.lower[d];
        return values_[static_cast<std::size_t>(place)];
    }
    template <class... I> [[nodiscard]] T& operator()(I... i) { return (*this)[index<N>{static_cast<index_t>(i)...}]; }
    [[nodiscard]] box<N> const& domain() const { return domain_; }
    /// True if an exchange leaves that element alone because of a side without a condition.
    [[nodiscard]] bool untouched(index<N> const& at) const {
        for (std::size_t d = 0; d < N; ++d)
            if (int const s = side_of(at, d); s >= 0 && sides_[d][static_cast<std::size_t>(s)].kind == at_wall::untouched)
                return true;
        return false;
    }

    /// The element that one outside is a copy of, and with which sign: 0 if it is a copy of none.
    struct copy_of {
        index<N> at;
        int sign = 1;
    };
    [[nodiscard]] copy_of home(index<N> at) const {
        int sign = 1;
        for (std::size_t d = N; d-- > 0;) {
            int const s = side_of(at, d);
            if (s < 0) continue;
            auto const& rule = sides_[d][static_cast<std::size_t>(s)];
            if (rule.kind == at_wall::untouched || rule.kind == at_wall::constant || rule.kind == at_wall::computed) return {at, 0};
            at = source(at, d, s);
            if (rule.negative) sign = -sign;
        }
        return {at, sign};
    }

private:
    [[nodiscard]] int side_of(index<N> const& at, std::size_t d) const {
        return at[d] < domain_.lower[d] ? 0 : at[d] >= domain_.upper[d] ? 1 : -1;
    }
    [[nodiscard]] index<N> source(index<N> at, std::size_t d, int s) const {
        auto const& rule = sides_[d][static_cast<std::size_t>(s)];
        index_t const edge = s == 0 ? domain_.lower[d] : domain_.upper[d] - 1;
        index_t const layer = s == 0 ? edge - at[d] : at[d] - edge; // 1, 2, …
        index_t const inwards = s == 0 ? 1 : -1;
        switch (rule.kind) {
        case at_wall::nearest: at[d] = edge; break;
        case at_wall::mirror: at[d] = edge + inwards * (layer - 1); break;
        case at_wall::mirror_at_point: at[d] = edge + inwards * layer; break;
        case at_wall::periodic: at[d] += inwards * domain_.extent(static_cast<int>(d)); break;
        default: break;
        }
        return at;
    }
    T fill(index<N> const& at, std::size_t d) {
        int const s = side_of(at, d);
        auto const& rule = sides_[d][static_cast<std::size_t>(s)];
        if (rule.kind == at_wall::untouched) return T{};
        if (rule.kind == at_wall::constant) return rule.value;
        if (rule.kind != at_wall::computed) {
            T const value = (*this)[source(at, d, s)];
            return rule.negative ? static_cast<T>(-value) : value;
        }
        index_t const edge = s == 0 ? domain_.lower[d] : domain_.upper[d] - 1;
        auto told = at; // indices of periodic dimensions wrap around
        for (std::size_t k = 0; k < N; ++k)
            if (int const side = side_of(at, k); side >= 0 && sides_[k][0].kind == at_wall::periodic) told = source(told, k, side);
        return made_up<T, N>(told, static_cast<int>(d), s, (s == 0 ? edge - at[d] : at[d] - edge) - 1, component_, rule.depth,
                             [&](index_t n) {
                                 auto inner = at;
                                 inner[d] = edge + (s == 0 ? n : -n);
                                 return (*this)[inner];
                             });
    }

    box<N> domain_, all_;
    sides_model<T, N> sides_;
    index_t component_;
    std::vector<T> values_;
};

} // namespace sode::internal::testing
