/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of all C types with halos, gmove and reductions by hand: _Bool, enum, long double, pointers, unions, function pointers, arrays of arrays, atomics. */
#include <stdio.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stdint.h>
#include <wchar.h>
#include <xmp.h>
#define N 17
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
enum e { A = -5, B = 7 };
typedef int (*fn)(int);
static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
bool b[N]; enum e e[N]; long double l[N]; char const *s[N]; fn f[N]; union u { int64_t i; double d; } u[N]; short q[N][2][3]; wchar_t w[N]; signed char c[N]; int *z[N]; const int *volatile cv[N];
#pragma xmp align b[i] with t[i]
#pragma xmp align e[i] with t[i]
#pragma xmp align l[i] with t[i]
#pragma xmp align s[i] with t[i]
#pragma xmp align f[i] with t[i]
#pragma xmp align u[i] with t[i]
#pragma xmp align q[i][*][*] with t[i]
#pragma xmp align w[i] with t[i]
#pragma xmp align c[i] with t[i]
#pragma xmp align z[i] with t[i]
#pragma xmp align cv[i] with t[i]
#pragma xmp shadow [1] :: b, e, l, f, u, w, c
#pragma xmp shadow q[1:0][0][0]
static char const *const names[] = {"zero", "one", "two"};
int main(void) {
    int bad = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        b[i] = i % 2; e[i] = i % 2 ? A : B; l[i] = i + 0.5L; s[i] = names[i % 3]; f[i] = i % 2 ? up : down; u[i].i = -i; w[i] = L'a' + i; c[i] = -i; z[i] = NULL; cv[i] = NULL;
        for (int k = 0; k < 2; k++) for (int m = 0; m < 3; m++) q[i][k][m] = i * 10 + k * 3 + m;
    }
#pragma xmp reflect (b, e, l, u, w, c, q)
#pragma xmp loop on t[i] reduction(+:bad)
    for (int i = 1; i < N; i++) {
        bad += b[i - 1] == b[i] || e[i - 1] == e[i] || l[i] - l[i - 1] != 1 || u[i - 1].i != 1 - i || w[i - 1] != L'a' + i - 1 || c[i - 1] != 1 - i || q[i - 1][1][2] != i * 10 - 5;
        bad += s[i] != names[i % 3] || f[i](10) != (i % 2 ? 11 : 9) || z[i] || cv[i];
    }
    bool bb[N]; long double ll[N]; short qq[N][3]; double conv[N]; int ee[N];
#pragma xmp gmove
    bb[:] = b[:];
#pragma xmp gmove
    ll[:] = l[:];
#pragma xmp gmove
    qq[:][:] = q[:][1][:];
#pragma xmp gmove
    conv[:] = c[:];
#pragma xmp gmove
    ee[:] = e[:];
    for (int i = 0; i < N; i++) bad += bb[i] != i % 2 || ll[i] != i + 0.5L || qq[i][1] != i * 10 + 4 || conv[i] != -i || ee[i] != (i % 2 ? A : B);
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
