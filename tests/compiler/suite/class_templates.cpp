/* SPDX-License-Identifier: Apache-2.0 */
// Templates: arrays of dependent element types and extents aligned in template functions and methods of class templates; specialisations; nested templates.
#include <array>
#include <cstdio>
#include <xmp.h>
#pragma xmp nodes p[*]
template <class T, int N> T work(T start) {
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic(2)] onto p
    T x[N], y[N][3];
#pragma xmp align x[i] with t[i]
#pragma xmp align y[i][*] with t[i]
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) { x[i] = start + i; for (auto k = 0; k < 3; k++) y[i][k] = x[i] * k; }
    T s{};
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < N; i++) s += x[i] + y[i][2];
    T all[N];
#pragma xmp gmove
    all[0:N] = x[0:N];
    T big = all[N - 1];
#pragma xmp bcast (big) from p[0]
    return s + big;
}
template <class T> struct solver {
    T scale;
    int n;
    T run() const {
#pragma xmp template s[n]
#pragma xmp distribute s[block] onto p
        T v[n];
#pragma xmp align v[i] with s[i]
#pragma xmp shadow v[1]
#pragma xmp loop on s[i]
        for (int i = 0; i < n; i++) v[i] = scale * i;
#pragma xmp reflect (v)
        T d = 0;
#pragma xmp loop on s[i] reduction(+:d)
        for (int i = 1; i < n - 1; ++i) d += v[i + 1] - v[i - 1];
        return d;
    }
    template <class F> int count(F f) const {
        int c = 0;
#pragma xmp template s[n]
#pragma xmp distribute s[cyclic] onto p
#pragma xmp loop on s[i] reduction(+:c)
        for (int i = 0; i < n; i++) if (f(i)) c++;
        return c;
    }
};
int main() {
    int bad = 0;
    bad += work<int, 13>(5) != 3 * (65 + 78) + 17;
    bad += work<double, 8>(0.5) != 3 * (4 + 28) + 7.5;
    bad += work<long, 21>(-3) != 3 * (-63 + 210) + 17;
    solver<float> const a{2, 30};
    solver<long> const b{3, 11};
    bad += a.run() != 28 * 4 || b.run() != 9 * 6;
    bad += a.count([](int i) { return i % 3 == 0; }) != 10 || b.count([&b](auto i) { return i < b.scale; }) != 3;
    if (bad) std::printf("bad %d\n", bad);
    return bad != 0;
}
