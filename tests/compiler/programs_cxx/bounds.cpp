// SPDX-License-Identifier: Apache-2.0
// Bounds of loops and clauses in templates, classes and lambdas, with coarrays in them.
#include <stdio.h>
#include <xmp.h>
static int failures;
static void expect(int ok, int line) {
    if (!ok) {
        printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(c) expect(c, __LINE__)
#include <complex>
#include <vector>
enum { N = 24 };
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N]
#pragma xmp distribute c[cyclic] onto p
namespace field {
double a[N], b[N][3];
#pragma xmp align a[i] with t[i]
#pragma xmp align b[i][*] with c[i]
int limit : [*];
} // namespace field
int n : [*], root : [*];
template <class T> T total(T scale) {
    T s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < n; i++) s += scale * field::a[i];
    return s;
}
template <int K> struct sums {
    int lower = 2;
    double get() const {
        double s = 0;
#pragma xmp loop on c[i] reduction(+ : s)
        for (int i = lower; i < field::limit - K; i++) s += field::b[i][K];
        return s;
    }
};
using field::a;
int main() {
    n = N;
    root = xmp_num_nodes() - 1;
    field::limit = N - 1;
    int const me = xmpc_node_num();
#pragma xmp loop on t[i]
    for (int i = 0; i < n; ++i) a[i] = i;
#pragma xmp loop on c[i]
    for (int i = 0; i < n; ++i) field::b[i][:] = i;
    EXPECT(total(2) == N * (N - 1));
    EXPECT(total(0.5) == N * (N - 1) / 4.0);
    double want = 0;
    for (int i = 2; i < N - 2; i++) want += i;
    EXPECT(sums<1>{}.get() == want);
    auto const by_lambda = [&](int from) {
        int s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
        for (long i = from; i < (long)(sizeof(field::a) / sizeof(field::a[0])); i += root - root + 1) s++;
        return s;
    };
    EXPECT(by_lambda(4) == N - 4);
    int x = me;
    [&] {
#pragma xmp bcast(x) from p[root]
    }();
    EXPECT(x == root);
    std::complex<long double> z(1, me);
#pragma xmp reduction(+ : z) on p
    EXPECT(z.real() == xmp_num_nodes());
    xmp_sync_all(NULL);
    int s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < n : [root]; i++) s += i < field::limit : [0] ? 1 : 0;
    EXPECT(s == N - 1);
    double row[3];
#pragma xmp task on c[5]
    {
        row[:] = field::b[5][:];
        EXPECT(row[1] == 5);
    }
    std::vector<int> v(n);
    for (int i = 0; i < n; i++) v[i] = i;
    s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = v[3]; i < v[n - 1]; i++) s++;
    EXPECT(s == N - 4);
    return failures != 0;
}
