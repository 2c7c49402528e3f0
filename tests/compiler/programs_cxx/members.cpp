// SPDX-License-Identifier: Apache-2.0
// Aligned members of structures in C++: in namespaces, of templates, nested, in functions; named in member functions, templates and
// lambdas.
#include <complex>
#include <cstdio>
#include <xmp.h>
constexpr int N = 20;
static int failures;
static void expect(bool ok, int line) {
    if (!ok) {
        std::printf("node %d of %d: line %d\n", xmp_all_node_num(), xmp_all_num_nodes(), line);
        failures++;
    }
}
#define EXPECT(...) expect((__VA_ARGS__), __LINE__)
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp template w[N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute w[cyclic] onto p
namespace model {
struct cell {
    double value;
    int count;
};
struct grid {
    int size;
    double u[N];
    double m[N][3];
    cell cells[N];
    struct {
        int deep[N];
    } inner;
};
grid g;
#pragma xmp align g.u[i] with t[i]
#pragma xmp align g.m[i][*] with t[i]
#pragma xmp align g.cells[i] with w[i]
#pragma xmp align g.inner.deep[i] with w[i]
#pragma xmp shadow g.u[1]
} // namespace model
template <class T> struct box {
    T data[N];
    int n;
};
box<float> b;
#pragma xmp align b.data[i] with t[i]
static model::grid other;
#pragma xmp align other.u[i] with t[i]

namespace model {
double rows[N][2];
namespace inner {
int marks[N];
}
} // namespace model
#pragma xmp align model::rows[i][*] with t[i]
#pragma xmp align[i] with w[i] ::model::inner::marks
#pragma xmp shadow model::rows[1][0]

class solver {
    int steps_ = 0;

public:
    template <class F> void each(F f) {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) f(i);
        ++steps_;
    }
    double sum() const {
        double s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
        for (int i = 0; i < N; i++) s += model::g.u[i] + other.u[i];
        return s;
    }
    int steps() const {
        return steps_;
    }
};
template <int K> int cyclic_sum() {
    int s = 0;
    using namespace model;
#pragma xmp loop on w[i] reduction(+ : s)
    for (int i = 0; i < N; i++) {
        g.inner.deep[i] = K * i;
        g.cells[i].count = K;
        g.cells[i].value = i;
        s += g.inner.deep[i] + g.cells[i].count;
    }
    return s;
}
int main() {
    solver s;
    s.each([](int i) {
        model::g.u[i] = i;
        other.u[i] = 1;
        b.data[i] = 2;
        for (int j = 0; j < 3; j++) model::g.m[i][j] = i + j;
    });
    EXPECT(s.sum() == N * (N - 1) / 2 + N);
    EXPECT(cyclic_sum<3>() == 3 * N * (N - 1) / 2 + 3 * N);
#pragma xmp reflect(model::g.u)
    model::grid local;
#pragma xmp align local.u[i] with t[i]
    double t1 = 0;
#pragma xmp loop on t[i] reduction(+ : t1)
    for (int i = 0; i < N; i++) {
        local.u[i] = b.data[i] + model::g.m[i][2];
        t1 += local.u[i];
    }
    EXPECT(t1 == N * (N - 1) / 2 + 4 * N);
    double t2 = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) model::rows[i][1] = i;
#pragma xmp reflect(model::rows)
#pragma xmp loop on t[i] reduction(+ : t2)
    for (int i = 1; i < N; i++) t2 += model::rows[i - 1][1];
#pragma xmp loop on w[i] reduction(+ : t2)
    for (int i = 0; i < N; i++) {
        model::inner::marks[i] = i;
        t2 += model::inner::marks[i];
    }
    EXPECT(t2 == (N - 1) * (N - 2) / 2 + N * (N - 1) / 2);
    EXPECT(s.steps() == 1);
    return failures != 0;
}
