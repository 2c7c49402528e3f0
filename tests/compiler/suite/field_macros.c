/* SPDX-License-Identifier: Apache-2.0 */
/* X-macros make arrays, their mappings and loops; stringized names; token pasting; __VA_ARGS__; directives in macros with arguments that contain commas. */
#include <stdio.h>
#include <string.h>
#include <xmp.h>
#define N 26
#define P(x) _Pragma(#x)
#define FIELDS(X) X(double, rho, 1) X(float, vel, 2) X(int, tag, 0)
P(xmp nodes p[*])
P(xmp template t[N][3])
P(xmp distribute t[block][*] onto p)
#define DECLARE(type, name, width) \
    type name##_now[N][3]; \
    P(xmp align name##_now[i][j] with t[i][j]) \
    P(xmp shadow name##_now[width][0])
FIELDS(DECLARE)
#define FILL(type, name, width) \
    P(xmp loop (i, j) on t[i][j]) \
    for (int i = 0; i < N; i++) for (int j = 0; j < 3; j++) name##_now[i][j] = (type)(i * (width + 1) + j);
#define CHECK(type, name, width) { \
    type s = 0; \
    P(xmp loop (i, j) on t[i][j] reduction(+:s)) \
    for (int i = width; i < N; i++) for (int j = 0; j < 3; j++) s += name##_now[i][j] - name##_now[i - width][j]; \
    if (s != (type)(3 * (N - width) * width * (width + 1))) { bad++; printf("%s\n", #name); } }
#define NAMES(...) static char const *const names[] = {__VA_ARGS__};
#define STRING(type, name, width) #name,
NAMES(FIELDS(STRING) "end")
#define EXCHANGE(...) P(xmp reflect (__VA_ARGS__))
#define TO_ALL(v, root) P(xmp bcast (v) from root)
int main(void) {
    int bad = 0, k = xmpc_node_num();
    FIELDS(FILL)
    EXCHANGE(rho_now, vel_now)
    FIELDS(CHECK)
    TO_ALL(k, p[0])
    bad += k != 0 || strcmp(names[1], "vel") != 0 || sizeof names / sizeof *names != 4;
#pragma xmp reduction (+:bad)
    return bad != 0;
}
