/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include <cmath>
#include <algorithm>
extern "C" { int helper(int x); }
int helper(int x) { return 2 * x; }
enum class kind { even, odd };
template <int W> struct stencil {
  static constexpr int N = 18 + W;
  static double run() {
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
    double u[N], v[N];
#pragma xmp align u[i] with t(i)
#pragma xmp align v[i] with t(i)
#pragma xmp shadow u[W:W]
#pragma xmp loop on t(i)
    for (int i = 0; i < N; ++i) u[i] = helper(i);
#pragma xmp reflect (u) width(W:W)
    double best = -1; int at = -1; kind k = kind::even;
#pragma xmp loop on t(i) reduction(firstmax:best/at,k/)
    for (int i = W; i < N - W; ++i) { v[i] = u[i-W] + u[i+W]; if (v[i] > best) { best = v[i]; at = i; k = i % 2 ? kind::odd : kind::even; } }
    CHECK(at == N - W - 1); CHECK((k == kind::odd) == (at % 2 == 1));
    return best;
  }
};
class world {
public:
  world() { fill(1); }
  void fill(int by);
  int total() const;
private:
  static const int n = 12;
};
#pragma xmp nodes pp[*]
#pragma xmp template tt[12]
#pragma xmp distribute tt[cyclic] onto pp
static int data[12];
#pragma xmp align data[i] with tt[i]
void world::fill(int by) {
#pragma xmp loop on tt[i]
  for (int i = 0; i < n; i++) data[i] = by; }
int world::total() const {
  int s{0};
#pragma xmp loop on tt[i] reduction(+ : s)
  for (int i = 0; i < n; i++) s += data[i];
  return s; }
int main() {
  CHECK(stencil<1>::run() == 2 * 2 * 17); CHECK(stencil<3>::run() == 2 * 2 * 17);
  world w; CHECK(w.total() == 12); w.fill(3); CHECK(w.total() == 36);
  auto both = [&w](auto f) { int s = 0;
#pragma xmp loop on tt[i] reduction(max:s)
    for (int i = 0; i < 12; i++) s = std::max(s, f(data[i]) + i);
    return s + w.total(); };
  CHECK(both([](int x) { return x * 2; }) == 17 + 36);
  try { throw 3; } catch (int e) {
#pragma xmp reduction(+:e)
    CHECK(e == 3 * xmp_num_nodes()); }
  return failures != 0;
}
