// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/sode.hpp>

#include <vector>

/// The arrays of the Himeno benchmark (R. Himeno, RIKEN) in the memory of devices.
namespace himeno {

using sode::index_t;
using points = sode::view<float, 3>;

using constants = sode::view<float const, 3>;

struct coefficients {
    constants a[4], b[3], c[3], boundary, source;
};

/// The pressure of a point after a step.
SODE_GPU inline float relaxed(coefficients const& f, points const& p, index_t i, index_t j, index_t k) {
    float const s = f.a[0](i, j, k) * p(i + 1, j, k) + f.a[1](i, j, k) * p(i, j + 1, k) + f.a[2](i, j, k) * p(i, j, k + 1) +
                    f.b[0](i, j, k) * (p(i + 1, j + 1, k) - p(i + 1, j - 1, k) - p(i - 1, j + 1, k) + p(i - 1, j - 1, k)) +
                    f.b[1](i, j, k) * (p(i, j + 1, k + 1) - p(i, j - 1, k + 1) - p(i, j + 1, k - 1) + p(i, j - 1, k - 1)) +
                    f.b[2](i, j, k) * (p(i + 1, j, k + 1) - p(i - 1, j, k + 1) - p(i + 1, j, k - 1) + p(i - 1, j, k - 1)) +
                    f.c[0](i, j, k) * p(i - 1, j, k) + f.c[1](i, j, k) * p(i, j - 1, k) + f.c[2](i, j, k) * p(i, j, k - 1) +
                    f.source(i, j, k);
    float const change = (s * f.a[3](i, j, k) - p(i, j, k)) * f.boundary(i, j, k);
    return p(i, j, k) + 0.8F * change;
}

/// Sets the pressure of both halves to that of the start.
struct from_the_start {
    points now, next;
    index_t last;
    SODE_GPU void operator()(index_t i, index_t j, index_t k) const {
        now(i, j, k) = next(i, j, k) = static_cast<float>(i * i) / static_cast<float>(last * last);
    }
};

struct step {
    points now, next;
    coefficients of;
    SODE_GPU void operator()(index_t i, index_t j, index_t k) const { next(i, j, k) = relaxed(of, now, i, j, k); }
};

/// A rank's part of the flow.
class flow {
public:
    flow(sode::runtime& rt, sode::index<3> const& extents, sode::grid<3>::options const& how)
        : g{rt, extents, how}, pressure{g, sode::shadow{1}, 0.F, "pressure"} {
        for (float const value : {1.F, 1.F, 1.F, 1.F / 6, 0.F, 0.F, 0.F, 1.F, 1.F, 1.F, 1.F, 0.F})
            all_.emplace_back(g, sode::shadow{0}, value, "coefficient");
    }

    [[nodiscard]] coefficients of() const {
        coefficients f{};
        std::size_t n = 0;
        for (constants* p :
             {&f.a[0], &f.a[1], &f.a[2], &f.a[3], &f.b[0], &f.b[1], &f.b[2], &f.c[0], &f.c[1], &f.c[2], &f.boundary, &f.source})
            *p = all_[n++].view();
        return f;
    }
    void restart(sode::stream& s) {
        sode::loop(s, g.all(), from_the_start{pressure.now(), pressure.next(), g.extent(0) - 1});
        s.synchronize();
    }

    sode::grid<3> g;
    sode::buffered<float, 3, sode::device> pressure;

private:
    std::vector<sode::array<float, 3, sode::device>> all_;
};

} // namespace himeno
