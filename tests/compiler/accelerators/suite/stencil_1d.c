/* SPDX-License-Identifier: Apache-2.0 */
/* A wave in one dimension, round brackets and upper bounds; three arrays that change roles by pointers to functions' parameters. */
#include <stdio.h>
#include <xmp.h>
#define N 64
#pragma xmp nodes p(*)
#pragma xmp template t(0 : N - 1)
#pragma xmp distribute t(block) onto p
float old[N], now[N], next[N];
#pragma xmp align old[i] with t(i)
#pragma xmp align now[i] with t(i)
#pragma xmp align next[i] with t(i)
#pragma xmp shadow old[1 : 1]
#pragma xmp shadow now[1 : 1]
#pragma xmp shadow next[1 : 1]
static void step(float o[N], float c[N], float n[N], float r)
#pragma xmp align o[i] with t(i)
#pragma xmp align c[i] with t(i)
#pragma xmp align n[i] with t(i)
#pragma xmp shadow o[1 : 1]
#pragma xmp shadow c[1 : 1]
#pragma xmp shadow n[1 : 1]
{
    int i;
#pragma xmp reflect(c) acc
#pragma xmp loop(i) on t(i)
#pragma acc parallel loop present(o, c, n) firstprivate(r)
    for (i = 1; i < N - 1; i++) n[i] = 2.0f * c[i] - o[i] + r * (c[i + 1] - 2.0f * c[i] + c[i - 1]);
}
static float s[3][N];
int main(void) {
    int i, k, w = 0;
#pragma xmp loop(i) on t(i)
    for (i = 0; i < N; i++) old[i] = now[i] = next[i] = i > 20 && i < 30 ? 1.0f : 0.0f;
    for (i = 0; i < N; i++) s[0][i] = s[1][i] = s[2][i] = i > 20 && i < 30 ? 1.0f : 0.0f;
#pragma acc data copyin(old, next) copy(now)
    {
        for (k = 0; k < 10; k++) {
            step(old, now, next, 0.25f);
            step(now, next, old, 0.25f);
            step(next, old, now, 0.25f);
        }
    }
    for (k = 0; k < 30; k++) {
        float *o = s[k % 3], *c = s[(k + 1) % 3], *n = s[(k + 2) % 3];
        for (i = 1; i < N - 1; i++) n[i] = 2.0f * c[i] - o[i] + 0.25f * (c[i + 1] - 2.0f * c[i] + c[i - 1]);
    }
#pragma xmp loop(i) on t(i) reduction(+ : w)
    for (i = 0; i < N; i++) w += now[i] - s[1][i] > 1e-5f || s[1][i] - now[i] > 1e-5f;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
