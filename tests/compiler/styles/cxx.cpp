/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <complex>
#include <vector>
#include <array>
#pragma xmp nodes p[*]
namespace model {
constexpr int n = 22;
#pragma xmp template t[n]
#pragma xmp distribute t[block] onto p
double u[n]; std::complex<float> z[n];
#pragma xmp align u[i] with t[i]
#pragma xmp align z[i] with t[i]
#pragma xmp shadow u[1]
struct solver {
  double scale = 2;
  template <class F> double sum(F f) const {
    double s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < n; ++i) s += f(i) * scale;
    return s;
  }
};
}
template <class T, int N> T total() {
#pragma xmp template tt[N]
#pragma xmp distribute tt[cyclic] onto p
  T a[N], s{};
#pragma xmp align a[i] with tt[i]
#pragma xmp loop on tt[i]
  for (int i = 0; i < N; ++i) a[i] = T(i);
#pragma xmp loop on tt[i] reduction(+:s)
  for (int i = 0; i < N; ++i) s += a[i];
  return s;
}
using namespace model;
int main() {
  auto fill = [&](double by) {
#pragma xmp loop on t[i]
    for (int i = 0; i < n; i++) { model::u[i] = by * i; z[i] = {float(i), -1}; }
  };
  fill(3);
  CHECK(solver{}.sum([](int i) { return u[i]; }) == 2 * 3 * n * (n - 1) / 2);
  CHECK((total<int, 13>() == 78)); CHECK((total<long double, 6>() == 15));
#pragma xmp reflect (u) width(/periodic/1)
  bool good = true;
#pragma xmp loop on t[i] reduction(&&:good)
  for (int i = 0; i < n; ++i) good = good && u[i + 1] == 3 * ((i + 1) % n) && u[i - 1] == 3 * ((i + n - 1) % n);
  CHECK(good);
  std::complex<float> s{};
#pragma xmp loop on t[i] reduction(+:s)
  for (auto i = 0; i < n; ++i) s += z[i];
  CHECK(s.real() == n * (n - 1) / 2 && s.imag() == -n);
  std::vector<double> v(n);
#pragma xmp gmove
  v.data()[0:n] = u[0:n];
  for (int i = 0; i < n; i++) CHECK(v[i] == 3 * i);
  return failures != 0;
}
