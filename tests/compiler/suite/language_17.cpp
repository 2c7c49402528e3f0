/* SPDX-License-Identifier: Apache-2.0 */
// C++17: lambdas, templates, namespaces, structured bindings, auto, range for, constexpr extents, references to arrays, exceptions.
#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <tuple>
#include <vector>
#include <xmp.h>
namespace sizes { constexpr int n = 21; inline constexpr auto m = n / 3; }
#pragma xmp nodes p[*]
#pragma xmp template t[sizes::n][sizes::m]
#pragma xmp distribute t[block][*] onto p
namespace data {
double u[sizes::n][sizes::m];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp shadow u[1][0]
long w[sizes::n];
#pragma xmp align w[i] with t[i][*]
}
template <class F> double fold(F f, double start) {
    double s = start;
#pragma xmp loop (i, j) on t[i][j] reduction(+:s)
    for (int i = 0; i < sizes::n; ++i)
        for (int j = 0; j < sizes::m; ++j) s += f(i, j);
    return s;
}
struct worker {
    double scale = 2;
    void fill() {
        using data::u;
#pragma xmp loop (i, j) on t[i][j]
        for (auto i = 0; i < sizes::n; ++i)
            for (auto j = 0; j < sizes::m; ++j) u[i][j] = scale * i + j;
    }
    [[nodiscard]] auto extremes() const -> std::tuple<double, double> {
        double lo = 1e30, hi = -1e30;
#pragma xmp loop on t[i][*] reduction(min:lo) reduction(max:hi)
        for (int i = 0; i < sizes::n; i++)
            for (int j = 0; j < sizes::m; j++) { lo = std::min(lo, data::u[i][j]); hi = std::max(hi, data::u[i][j]); }
        return {lo, hi};
    }
};
static int late(int at) {
    int seen = 0;
    try {
#pragma xmp loop on t[i][*]
        for (int i = 0; i < sizes::n; i++) {
            if (i == at) throw std::runtime_error("stop");
            seen++;
        }
    } catch (std::runtime_error const &) { seen += 1000; }
    return seen;
}
int main() {
    int bad = 0;
    worker it{3};
    it.fill();
    auto const [lo, hi] = it.extremes();
    if (lo != 0 || hi != 3.0 * (sizes::n - 1) + sizes::m - 1) bad++;
    auto const s = fold([&](int i, int j) { return data::u[i][j] - it.scale * i; }, 1);
    if (s != 1 + sizes::n * (sizes::m * (sizes::m - 1) / 2)) bad++, std::printf("s %g\n", s);
#pragma xmp reflect (data::u)
    auto const d = fold([](int i, int j) { return i ? data::u[i][j] - data::u[i - 1][j] : 0.0; }, 0);
    if (d != 3.0 * (sizes::n - 1) * sizes::m) bad++, std::printf("d %g\n", d);
    std::vector<double> line(sizes::m);
    double *const raw = line.data();
#pragma xmp gmove
    raw[0:sizes::m] = data::u[4][0:sizes::m];
    int k = 0; for (auto const x : line) bad += x != 12 + k++;
    int total = late(5) / 1000;
#pragma xmp reduction (+:total)
    if (total != 1) bad++, std::printf("total %d\n", total);
#pragma xmp loop on t[i][*]
    for (int i = 0; i < sizes::n; i++) data::w[i] = std::accumulate(data::u[i], data::u[i] + sizes::m, 0.0);
    long all[sizes::n];
#pragma xmp gmove
    all[:] = data::w[:];
    for (int i = 0; i < sizes::n; i++) bad += all[i] != 3 * i * sizes::m + sizes::m * (sizes::m - 1) / 2;
#pragma xmp reduction (+:bad)
    return bad != 0;
}
