/* SPDX-License-Identifier: Apache-2.0 */
// C++: distributed static members? global arrays in classes' methods, operators, templates over functors, std::complex arrays, RAII around tasks, init order, inline variables.
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <xmp.h>
using cplx = std::complex<double>;
constexpr int N = 17;
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[cyclic] onto p
static cplx z[N];
static int code[N];
#pragma xmp align z[i] with t[i]
#pragma xmp align code[i] with t[i]
int shared_value:[*];
struct counter { static inline int alive = 0; counter() { ++alive; } ~counter() { --alive; } };
template <typename T, typename Op> T reduce(T start, Op op) {
    T s = start;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < N; ++i) s += op(i);
    return s;
}
template <int K> struct stage {
    static void run(int &bad) {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) code[i] += K;
        if constexpr (K > 1) stage<K - 1>::run(bad);
    }
};
enum class kind : unsigned char { even, odd };
static kind of(int i) noexcept { return i % 2 ? kind::odd : kind::even; }
int main() {
    int bad = 0;
    std::function<void(int)> set = [](int k) {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) { z[i] = cplx(i, k); code[i] = 0; }
    };
    set(3);
    double const re = reduce(0.0, [](int i) { return z[i].real(); });
    double const im = reduce(0.0, [](auto i) { return std::imag(z[i]); });
    if (re != N * (N - 1) / 2 || im != 3.0 * N) bad++;
    stage<4>::run(bad);
    if (reduce(0L, [](int i) { return (long)code[i]; }) != 10L * N) bad++;
    for (auto const k : {kind::even, kind::odd}) {
        auto const c = reduce(0, [k](int i) { return of(i) == k ? 1 : 0; });
        if (c != (k == kind::even ? (N + 1) / 2 : N / 2)) bad++;
    }
    auto const me = xmpc_this_image(), n = xmp_num_images();
    shared_value = me * me;
    xmp_sync_all(nullptr);
    auto const look = [&](int who) { return shared_value:[who]; };
    for (int k = 0; k < n; ++k) if (look(k) != k * k) bad++;
    xmp_sync_all(nullptr);
    {
        counter here;
        for (int k = 0; k < n; k++) {
#pragma xmp task on p[k]
            {
                counter inner;
                if (counter::alive != 2) bad++;
                auto ptr = std::make_unique<int>(k);
                shared_value = *ptr + 1;
            }
        }
        if (counter::alive != 1) bad++;
    }
    if (shared_value != me + 1) bad++;
    cplx w[N];
#pragma xmp gmove
    w[:] = z[:];
    for (auto i = 0; i < N; i++) bad += w[i] != cplx(i, 3);
    cplx product{1, 0};
#pragma xmp reduction (+:bad)
    if (bad) std::printf("bad %d\n", bad);
    return bad != 0;
}
