// SPDX-License-Identifier: Apache-2.0
// Directives in what C++ has and C has not: namespaces, classes, templates, lambdas, overloads, references.
#include <algorithm>
#include <complex>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>
#include <xmp.h>

constexpr int rows = 40;
int const columns = 12;

#pragma xmp nodes p[*]
#pragma xmp template t[rows]
#pragma xmp distribute t[block] onto p

namespace field {

double u[rows][columns];
#pragma xmp align u[i][*] with t[i]
#pragma xmp shadow u[1][0]

namespace {
int marks[rows];
#pragma xmp align marks[i] with t[i]
} // namespace

int mark() {
#pragma xmp loop on t[i]
    for (int i = 0; i < rows; ++i) marks[i] = i;
    int sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (int i = 0; i < rows; ++i) sum += marks[i];
    return sum;
}

} // namespace field

namespace other {
double u[rows]; // of the same name
#pragma xmp align u[i] with t[i]
} // namespace other

struct point {
    double x;
    int n;
};
point points[rows];
#pragma xmp align points[i] with t[i]
std::complex<double> waves[rows];
#pragma xmp align waves[i] with t[i]

class solver {
public:
    explicit solver(double value) : first_{value}, steps_{} {}
    ~solver() = default;

    template <class F> void fill(F const& f) {
        using field::u;
#pragma xmp loop(i) on t[i]
        for (std::size_t i = 0; i < rows; i++)
            for (auto& x : u[i]) x = f(static_cast<int>(i)) + first_;
        ++steps_;
#pragma xmp reflect(field::u)
    }
    double sum() const;
    // `u` of one namespace, and of another.
    void both() {
        auto const half = [this](auto x) { return (x + first_) / 2; };
#pragma xmp loop on t[k]
        for (int k = 1; k < rows - 1; ++k) other::u[k] = half(field::u[k - 1][0]) + half(field::u[k + 1][0]);
    }

private:
    double first_;
    int steps_;
};

double solver::sum() const {
    double s = 0;
    auto const add = [&](int from) {
#pragma xmp loop on t[i] reduction(+ : s)
        for (int i = from; i < rows; ++i) s += std::accumulate(field::u[i], field::u[i] + columns, 0.0);
    };
    add(0);
    return s;
}

// Overloads, of which the compiler takes one by the types of what it is given.
int size_of(double (*)[columns]) {
    return 2;
}
int size_of(double*) {
    return 1;
}

double total_of(double (&a)[rows][columns]) {
#pragma xmp align a[i][*] with t[i]
#pragma xmp shadow a[1][0]
    double s = 0;
#pragma xmp loop on t[i] reduction(+ : s)
    for (int i = 0; i < rows; i++) s += a[i][columns - 1];
    return s;
}

// Types and extents that are known when it is used.
template <class T, int n> T twice(T x) {
    T a[n];
#pragma xmp template s[n]
#pragma xmp distribute s[cyclic] onto p
#pragma xmp align a[i] with s[i]
    T sum{};
    T copy[n];
#pragma xmp loop on s[i]
    for (int i = 0; i < n; ++i) a[i] = x;
#pragma xmp gmove
    copy[:] = a[:];
#pragma xmp loop on s[i] reduction(+ : sum)
    for (auto i = 0; i < n; ++i) sum += a[i];
#pragma xmp bcast(copy) from p[0]
    return sum == std::accumulate(copy, copy + n, T{}) ? sum : T{};
}

// Sections whose elements are of a type that is not known yet.
template <class T, int M> T sections() {
#pragma xmp template s[M]
#pragma xmp distribute s[cyclic] onto p
    T x[M], y[M], own[2][M], sum = 0;
#pragma xmp align x[i] with s[i]
#pragma xmp align y[i] with s[i]
#pragma xmp array on s[ : ]
    x[:] = 3;
#pragma xmp array on s[ : ]
    y[:] = x[:] + 1;
    own[:][:] = 2;
    own[1] [0:2] = own[0] [1:2] * 2;
#pragma xmp loop on s[i] reduction(+ : sum)
    for (int i = 0; i < M; i++) sum += y[i];
    return sum + own[1][1] + own[1][2];
}

int main() {
    int failures = 0;
    auto const expect = [&](bool right, char const* what) {
        if (right) return;
        ++failures;
        std::printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
    };
    auto const lines = std::make_unique<solver>(0.5);
    lines->fill([](int i) { return i; });
    expect(lines->sum() == columns * (rows * (rows - 1) / 2 + 0.5 * rows), "member functions");
    expect(field::mark() == rows * (rows - 1) / 2, "an unnamed namespace");
    lines->both();
    double sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (int i = 1; i < rows - 1; ++i) sum += other::u[i];
    double wanted = 0;
    for (int i = 1; i < rows - 1; ++i) wanted += i + 1;
    expect(sum == wanted, "two namespaces");
    expect(size_of(field::u) == 2 && size_of(other::u) == 1, "overloads");
    expect(total_of(field::u) == rows * (rows - 1) / 2 + 0.5 * rows, "a reference to an array");
    expect(twice<double, 10>(1.5) == 15 && twice<long, 7>(2) == 14, "templates");
    expect(sizeof(field::u) == sizeof(double) * rows * columns, "sizeof");

    point all[rows], expected{};
#pragma xmp loop on t[i]
    for (int i = 0; i < rows; ++i) points[i] = point{1.0 * i, -i};
#pragma xmp gmove
    all[:] = points[:];
    for (auto const& [x, n] : all) {
        expect(x == expected.x && n == -static_cast<int>(expected.x), "elements that are classes");
        expected.x += 1;
    }
    std::complex<double> wave = 0, waves_here[2]{};
#pragma xmp loop on t[i]
    for (int i = 0; i < rows; ++i) waves[i] = {1, -1. * i};
#pragma xmp loop on t[i] reduction(+ : wave)
    for (int i = 0; i < rows; ++i) wave += waves[i];
    expect(wave == std::complex<double>(rows, -rows * (rows - 1) / 2), "std::complex");
    waves_here[xmpc_node_num() % 2] = {1, 2};
#pragma xmp reduction(+ : waves_here)
    expect((waves_here[0] + waves_here[1]) * 1.0 == std::complex<double>(1, 2) * (1.0 * xmp_num_nodes()), "an array of them");

    // What is not distributed stays C++.
    std::vector<std::string> const words{"a", "b"};
    std::size_t length = 0;
    for (auto const& w : words) length += w.size();
    expect(length == 2, "range-based for");
    int here[6]{}, there[6]{5, 4, 3, 2, 1, 0};
    here [0:3] = there [3:3];
    here[::2] = 7; // as [0 : 6 : 2]
    expect(here[0] == 7 && here[1] == 1 && here[2] == 7 && here[4] == 7, "sections");
    expect(sections<double, 11>() == 50 && sections<int, 4>() == 22, "sections in a template");
    int const way = xmp_num_nodes() > 0 ? [&] { return 3; }() : 4;
    switch (way) {
    case 3: [[fallthrough]];
    default: expect(way == 3, "attributes and lambdas behind colons");
    }
    try {
#pragma xmp task on p[0]
        throw 1; // leaves the task
    } catch (int) {
    }
#pragma xmp barrier
    return failures != 0;
}
