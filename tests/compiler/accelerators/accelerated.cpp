// SPDX-License-Identifier: Apache-2.0
// XcalableACC in C++: data and compute directives in functions, methods, lambdas, namespaces; arrays whose pitch is known when the
// program runs; references; halos, reductions and moves of devices.
#include <cmath>
#include <cstdio>
#include <vector>
#include <xmp.h>

constexpr int N = 34, M = 12;
#pragma xmp nodes p[*]
#pragma xmp nodes q[1][*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template s[N][M]
#pragma xmp distribute s[block][block] onto q
double u[N], v[N];
float a[N][M], b[N][M];
#pragma xmp align[i] with t[i] ::u, v
#pragma xmp align[i][j] with s[i][j] ::a, b
#pragma xmp shadow u[1]
#pragma xmp shadow a[1][1]
#pragma acc declare create(v)
namespace fields {
long w[N];
#pragma xmp align w[i] with t[i]
} // namespace fields

namespace {
int failures = 0;

void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    ++failures;
    if (xmp_node_num() == 1) std::printf("%d wrong: %s\n", wrong, what);
}

// Rows and columns are distributed: their pitch is known when the program runs.
void planes() {
    int wrong = 0;
#pragma xmp loop on s[i][j]
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) a[i][j] = float(100 * i + j);
#pragma acc data copyin(a) copyout(b)
    {
#pragma xmp reflect(a) acc
#pragma acc parallel loop collapse(2) present(a, b)
#pragma xmp loop on s[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) b[i][j] = a[i - 1][j - 1] + a[i + 1][j + 1];
#pragma acc parallel loop collapse(2) default(none) present(b)
#pragma xmp loop on s[i][j]
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < M - 1; j++) b[i][j] += 1;
    }
#pragma xmp loop on s[i][j] reduction(+ : wrong)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < M - 1; j++) wrong += b[i][j] != 2 * float(100 * i + j) + 1;
    check(wrong, "planes");
}

void halos() {
    int wrong = 0;
    double sum = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = i;
#pragma acc enter data copyin(u)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) u[i] = -1;
#pragma xmp reflect_init(u) width(/ periodic / 1) acc
    for (auto step = 0; step < 2; ++step) {
#pragma xmp reflect_do(u) acc
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (auto i = 0; i < N; ++i) v[i] = std::fmax(u[i - 1], u[i + 1]);
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (auto i = 0; i < N; ++i) u[i] = v[i];
    }
#pragma xmp loop on t[i] reduction(+ : sum)
#pragma acc parallel loop present(u) reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += u[i];
#pragma acc update self(u [0:N / 2])
#pragma acc exit data delete (u)
    double x[N], y[N], all = 0;
    for (int i = 0; i < N; i++) x[i] = i;
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < N; i++) y[i] = std::fmax(x[(i + N - 1) % N], x[(i + 1) % N]);
        for (int i = 0; i < N; i++) x[i] = y[i];
    }
    for (double const each : x) all += each;
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += u[i] != (i < N / 2 ? x[i] : -1);
    check(wrong + (sum != all), "halos, a reduction");
}

struct solver {
    double factor;
    void scale() const {
        double const by = factor;
#pragma acc parallel loop present(v)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] = by * i;
    }
};

double first_of(double const* there, int n) {
    double one = 0;
#pragma acc parallel loop deviceptr(there) reduction(+ : one)
    for (int i = 0; i < n; i++) one += there[i];
    return one;
}

void methods() {
    int wrong = 0, mine = 0;
    solver const x{2.5};
    x.scale();
    auto const add = [](double what) {
#pragma acc parallel loop present(v)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) v[i] += what;
    };
    add(4);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) mine++;
    double sum = 0;
#pragma acc host_data use_device(v)
    { sum = first_of(v, mine); }
#pragma xmp reduction(+ : sum)
#pragma acc update self(v)
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != 2.5 * i + 4;
    check(wrong + (sum != 2.5 * N * (N - 1) / 2 + 4 * N), "methods, lambdas, host_data");
}

void names() {
    int wrong = 0;
    std::vector<int> table(N);
    for (int i = 0; i < N; i++) table[static_cast<std::size_t>(i)] = 3 * i;
    int const* const rows = table.data();
#pragma acc data copyout(fields::w) copyin(rows [0:N])
    {
#pragma acc parallel loop present(fields::w)
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) fields::w[i] = rows[i];
#pragma xmp gmove acc
        fields::w [0:4] = fields::w [10:4];
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += fields::w[i] != 3 * (i < 4 ? i + 10 : i);
    check(wrong, "names in a namespace");
}
} // namespace

int main() {
    planes();
    halos();
    methods();
    names();
    return failures != 0;
}
