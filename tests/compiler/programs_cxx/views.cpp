// SPDX-License-Identifier: Apache-2.0
// Strides that are known when the program runs, in functions, lambdas and templates; extents that are variables.
#include <cstdio>
#include <xmp.h>

int n = 18, m = 10;
namespace {
int widths[64];
int make_widths() {
    for (int k = 0; k < 10; ++k) ++widths[0];
    return 0;
}
int const made = make_widths(); // before main(): all to the first node
} // namespace
#pragma xmp nodes p[*]
#pragma xmp template t[n][m]
#pragma xmp distribute t[*][gblock(widths)] onto p
double u[n][m];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp shadow u[0][1]

namespace image {
int x[3] : [*], count : [*];
}

template <class T> T at(int i, int j) {
    return static_cast<T>(10 * i + j);
}

int main() {
    int failures = made;
#pragma xmp loop(i, j) on t[i][j]
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < m; ++j) u[i][j] = at<double>(i, j);
    auto const row = [](int i) {
        double sum = 0;
#pragma xmp loop(j) on t[*][j] reduction(+ : sum)
        for (int j = 0; j < m; ++j) sum += u[i][j];
        return sum;
    };
    failures += row(7) != 745;
    double mine[10][18];
    {
        double v[m][n];
#pragma xmp template s[m][n]
#pragma xmp distribute s[*][block] onto p
#pragma xmp align v[i][j] with s[i][j]
#pragma xmp shadow v[0][1]
        auto const fill = [&](auto by) {
#pragma xmp loop(i, j) on s[i][j]
            for (int i = 0; i < m; ++i)
                for (int j = 0; j < n; ++j) v[i][j] = at<double>(j, i) * by;
        };
        fill(2);
#pragma xmp reflect(v) width(0, / periodic / 1)
#pragma xmp loop(i, j) on s[i][j] reduction(+ : failures)
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < n; ++j)
                failures += v[i][j - 1] != 2 * at<double>((j + n - 1) % n, i) || v[i][j + 1] != 2 * at<double>((j + 1) % n, i);
#pragma xmp gmove
        mine[:][:] = v[:][:];
    }
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) failures += mine[i][j] != 2 * at<double>(j, i);
    if (failures != 0) std::printf("node %d of %d: %d failures\n", xmp_node_num(), xmp_num_nodes(), failures);
    return failures != 0;
}
