/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays of structures, pointers, arrays of several dimensions; sections with steps on both sides; post and wait; locks. */
#include <stdio.h>
#include <string.h>
#include <complex.h>
#include <stdint.h>
#include <xmp.h>
struct particle { double x[3]; int id; struct { short a, b; } tag; };
#pragma xmp nodes p[*]
struct particle box[6]:[*], one:[*];
double m[4][5][6]:[*];
double complex z[3]:[*];
uint8_t bytes[32]:[*];
char const *names[2]:[*];
xmp_lock_t l[2]:[*];
long counter:[*];
int flag:[*];
int main(void) {
    int const me = xmpc_this_image(), n = xmp_num_images(), right = (me + 1) % n, left = (me + n - 1) % n;
    int bad = 0;
    for (int i = 0; i < 6; i++) box[i] = (struct particle){{me, i, me * i}, 10 * me + i, {i, -i}};
    for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) for (int k = 0; k < 6; k++) m[i][j][k] = 1000 * me + 100 * i + 10 * j + k;
    for (int i = 0; i < 3; i++) z[i] = me + i * I;
    for (int i = 0; i < 32; i++) bytes[i] = (uint8_t)(i ^ me);
    counter = 0;
    xmp_sync_all(NULL);
    struct particle const got = box[2]:[right];
    bad += got.id != 10 * right + 2 || got.x[2] != right * 2 || got.tag.b != -2;
    bad += box[3]:[left].x[1] != 3 || box[4]:[left].tag.a != 4;
    double w[2][3];
    w[0:2][0:3] = m[1:2:2][4][0:3:2]:[right];
    for (int i = 0; i < 2; i++) for (int k = 0; k < 3; k++) bad += w[i][k] != 1000 * right + 100 * (1 + 2 * i) + 40 + 2 * k;
    double complex const s = z[1]:[right] * conj(z[1]:[left]);
    bad += s != (right + I) * conj(left + I);
    xmp_sync_all(NULL);
    m[0][1:3][5]:[right] = w[0][0:3];
    bytes[0:16:2]:[right] = 255;
    one:[right] = box[5];
    one:[right].tag.b = 77;
    xmp_sync_all(NULL);
    for (int k = 0; k < 3; k++) { int const r = (left + 1) % n; bad += m[0][1 + k][5] != 1000 * r + 100 + 40 + 2 * k; }
    for (int i = 0; i < 32; i++) bad += bytes[i] != (i % 2 ? (uint8_t)(i ^ me) : 255);
    bad += one.id != 10 * left + 5 || one.tag.b != 77 || one.tag.a != 5;
    for (int k = 0; k < 5; k++) {
#pragma xmp lock (l[1]:[0])
        counter:[0] = counter:[0] + me + 1;
        xmp_sync_memory(NULL);
#pragma xmp unlock (l[1]:[0])
    }
    xmp_sync_all(NULL);
    if (me == 0) bad += counter != 5L * n * (n + 1) / 2;
    if (n > 1) {
        if (me == 0) {
            flag:[n - 1] = 5;
            xmp_sync_memory(NULL);
#pragma xmp post (p[n - 1], 3)
        } else if (me == n - 1) {
#pragma xmp wait (p[0], 3)
            bad += flag != 5;
        }
    }
    xmp_sync_all(NULL);
#pragma xmp reduction(+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
