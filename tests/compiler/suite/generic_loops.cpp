/* SPDX-License-Identifier: Apache-2.0 */
// Generic code around directives: auto bounds, deduced reduction variables, loops over long and unsigned dependent types, fold expressions, if constexpr, variadics.
#include <cstdio>
#include <tuple>
#include <type_traits>
#include <xmp.h>
constexpr long N = 25;
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic(3)] onto p
#pragma xmp template b[N]
#pragma xmp distribute b[block] onto p
static double x[N];
static int k[N];
#pragma xmp align x[i] with t[i]
#pragma xmp align k[i] with b[i]
#pragma xmp shadow k[1]
template <class Index, class Value> Value add(Index from, Index to, Value start) {
    auto s = start;
#pragma xmp loop on t[i] reduction(+:s)
    for (Index i = from; i < to; i++) s += static_cast<Value>(x[i]);
    return s;
}
template <class... F> void each(F... f) {
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) (f(i), ...);
}
template <class I> auto neighbours(I n) {
    I s = 0;
#pragma xmp loop on b[i] reduction(+:s)
    for (I i = 1; i < n; ++i) {
        if constexpr (std::is_signed_v<I>) s += k[i] - k[i - 1];
        else s += k[i] - k[i - 1] + 1;
    }
    return s;
}
template <bool Up, class T> T scan(T const (&order)[3]) {
    T best = Up ? T(-1000) : T(1000);
    for (auto const step : order) {
#pragma xmp loop on b[i] reduction(max:best)
        for (T i = 0; i < T(N); i++) if (k[i] % step == 0 && k[i] > best && Up) best = k[i];
    }
    return best;
}
int main() {
    int bad = 0, calls = 0;
    each([](int i) { x[i] = i; }, [&](auto i) { x[i] += 0.5; calls++; });
#pragma xmp reduction (+:calls)
    bad += calls != N;
    bad += add(0, (int)N, 0L) != N * (N - 1) / 2 || add(0UL, (unsigned long)N, 1.0) != 1 + N * (N - 1) / 2 + N / 2.0 || add<short, float>(3, 6, 0) != 13.5f;
#pragma xmp loop on b[i]
    for (auto i = N - 1; i >= 0; i--) k[i] = 2 * i;
#pragma xmp reflect (k)
    bad += neighbours(25) != 48 || neighbours(25L) != 48 || neighbours(25u) != 48 + 24;
    bad += scan<true>({3, 5, 7}) != 48;
#pragma xmp reduction (+:bad)
    if (bad) std::printf("bad %d\n", bad);
    return bad != 0;
}
