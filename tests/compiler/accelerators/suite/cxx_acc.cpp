/* SPDX-License-Identifier: Apache-2.0 */
/* C++: templates, lambdas, classes and namespaces around loops on devices. */
#include <cstdio>
#include <vector>
#include <xmp.h>
constexpr int N = 24;
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
namespace model {
double u[N], v[N];
#pragma xmp align u[i] with t[i]
#pragma xmp align v[i] with t[i]
#pragma xmp shadow u[1]
struct point {
    double x, y;
};
point q[N];
#pragma xmp align q[i] with t[i]
} // namespace model
using model::q;
using model::u;
using model::v;
struct solver {
    double weight;
    void step() const {
        double w = weight;
#pragma xmp reflect(u) acc
#pragma acc parallel loop present(u, v)
#pragma xmp loop on t[i]
        for (int i = 1; i < N - 1; i++) v[i] = w * (u[i - 1] + u[i + 1]);
    }
};
template <class T> static T twice(T value) {
    return value + value;
}
int main() {
    int wrong = 0;
    auto fill = [&] {
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) u[i] = i, v[i] = 0, q[i] = {1.0 * i, 2.0};
    };
    fill();
    double total = 0;
#pragma acc data copyin(u) copy(v, q)
    {
        solver{0.5}.step();
#pragma acc parallel loop present(q) reduction(+ : total)
#pragma xmp loop on t[i] reduction(+ : total)
        for (int i = 0; i < N; ++i) {
            q[i].y += q[i].x;
            total += q[i].x + q[i].y;
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) wrong += v[i] != (i == 0 || i == N - 1 ? 0 : i) || q[i].y != 2.0 + i;
    if (total != twice(N * (N - 1) / 2) + 2 * N) wrong++;
    if (wrong) std::printf("%d wrong %g\n", wrong, total);
    return wrong != 0;
}
