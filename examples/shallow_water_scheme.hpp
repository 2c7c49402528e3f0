// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <algorithm>
#include <cmath>

// The shallow water equations, finite volumes: limited slopes in each cell (minmod), Rusanov's flux between cells, Heun's two
// stages in time. Second order where the water is smooth; a cell depends on two neighbours on each side, along the axes only.
//
// Source: E. F. Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics, ch. 10 and 14.

namespace shallow_water {

inline constexpr double gravity = 9.81;       // m/s²
inline constexpr sode::index_t reach = 2;     // cells that a cell depends on, on each side
inline constexpr double courant_number = 0.4; // of the largest stable step

/// Depth (m) and momentum over density (m²/s) of a cell, in two directions.
struct state {
    double h, along, across;

    friend state operator+(state a, state b) { return {a.h + b.h, a.along + b.along, a.across + b.across}; }
    friend state operator-(state a, state b) { return {a.h - b.h, a.along - b.along, a.across - b.across}; }
    friend state operator*(double f, state a) { return {f * a.h, f * a.along, f * a.across}; }
};

inline double speed(state const& s) { // of the fastest wave that moves along
    return std::abs(s.along / s.h) + std::sqrt(gravity * s.h);
}

inline state flux(state const& s) {
    return {s.along, s.along * s.along / s.h + 0.5 * gravity * s.h * s.h, s.along * s.across / s.h};
}

inline state flux(state const& left, state const& right) {
    double const fastest = std::max(speed(left), speed(right));
    return 0.5 * (flux(left) + flux(right) - fastest * (right - left));
}

inline double minmod(double a, double b) {
    double const smaller = std::abs(a) < std::abs(b) ? a : b;
    return a * b > 0 ? smaller : 0;
}

inline state slope(state const& before, state const& here, state const& after) {
    auto const a = here - before, b = after - here;
    return {minmod(a.h, b.h), minmod(a.along, b.along), minmod(a.across, b.across)};
}

/// What flows out of the middle one of five cells in a row, in flux times length.
inline state outflow(state const& a, state const& b, state const& c, state const& d, state const& e) {
    auto const sb = 0.5 * slope(a, b, c), sc = 0.5 * slope(b, c, d), sd = 0.5 * slope(c, d, e);
    return flux(c + sc, d - sd) - flux(b + sb, c - sc);
}

/// Views of the three fields at one time; `hu` is the momentum along the second dimension (x), `hv` that along the first (y).
template <class View> struct water {
    View h, hu, hv;

    template <class I> [[nodiscard]] state along_x(I i, I j) const { return {h(i, j), hu(i, j), hv(i, j)}; }
    template <class I> [[nodiscard]] state along_y(I i, I j) const { return {h(i, j), hv(i, j), hu(i, j)}; }
};
template <class View> water(View, View, View) -> water<View>;

/// A stage of Heun's method: next = old * next + (1 - old) * (now + dt change(now)). \param ratio  dt / dx
template <class View> auto stage(water<View> now, water<View> next, double ratio, double old) {
    return [=](auto i, auto j) {
        auto const x =
            outflow(now.along_x(i, j - 2), now.along_x(i, j - 1), now.along_x(i, j), now.along_x(i, j + 1), now.along_x(i, j + 2));
        auto const y =
            outflow(now.along_y(i - 2, j), now.along_y(i - 1, j), now.along_y(i, j), now.along_y(i + 1, j), now.along_y(i + 2, j));
        auto const mix = [=](double was, double is, double change) { return old * was + (1 - old) * (is - ratio * change); };
        next.h(i, j) = mix(next.h(i, j), now.h(i, j), x.h + y.h);
        next.hu(i, j) = mix(next.hu(i, j), now.hu(i, j), x.along + y.across);
        next.hv(i, j) = mix(next.hv(i, j), now.hv(i, j), x.across + y.along);
    };
}

/// The stages of Heun's method one after the other, two for each step, for sode::reflection::march().
struct stages {
    double ratio; ///< dt / dx

    template <class View> auto operator()(View h, View hu, View hv, View h1, View hu1, View hv1, sode::index_t number) const {
        return stage(water{h, hu, hv}, water{h1, hu1, hv1}, ratio, number % 2 == 0 ? 0.0 : 0.5);
    }
};

/// The exchange of all three, one message a neighbour. With walls around the basin the mirror image of the water stands behind
/// them, so that nothing flows through; without, what leaves on one side comes in on the other.
inline sode::reflection exchange(sode::buffered<double, 2>& h, sode::buffered<double, 2>& hu, sode::buffered<double, 2>& hv,
                                 bool walls) {
    using sode::boundary, sode::mirror;
    if (!walls) return sode::reflect_init({.periodic = true}, h, hu, hv);
    return sode::reflect_init(boundary(h, mirror), boundary(hu, {mirror, -mirror}), boundary(hv, {-mirror, mirror}));
}

} // namespace shallow_water
