/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays on devices: declare create, host_data use_device, whole, elements, sections with steps, to and from the host. */
#include <stdio.h>
#include <xmp.h>
#define N 12
static double a[N] : [*], b[N] : [*];
static int flags[4][6] : [*];
#pragma acc declare create(a, b)
static int failures;
static void check(int wrong, char const* what) {
#pragma xmp reduction(+ : wrong)
    if (wrong == 0) return;
    failures++;
    if (xmpc_node_num() == 0) printf("%d wrong: %s\n", wrong, what);
}
#pragma xmp nodes p[*]
int main(void) {
    int n = xmp_num_images(), me = xmpc_this_image(), right = (me + 1) % n, left = (me + n - 1) % n, w = 0;
    for (int i = 0; i < N; i++) a[i] = 100 * me + i, b[i] = -1;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) flags[i][j] = me * 24 + i * 6 + j;
#pragma acc update device(a, b)
    xmp_sync_all(NULL);
#pragma acc host_data use_device(a, b)
    b[:] : [right] = a[:];
    xmp_sync_all(NULL);
#pragma acc update self(b)
    for (int i = 0; i < N; i++) w += b[i] != 100 * left + i;
    check(w, "whole");
    w = 0;
    xmp_sync_all(NULL);
#pragma acc host_data use_device(b)
    {
        b [0:N / 2:2] : [right] = a [0:N / 2];
        b[1] : [right] = 7.5;
    }
    xmp_sync_all(NULL);
#pragma acc update self(b)
    for (int i = 0; i < N; i++) w += b[i] != (i == 1 ? 7.5 : 100 * left + (i % 2 ? i : i / 2));
    check(w, "from the host, a step, a value");
    w = 0;
#pragma acc enter data copyin(flags)
    xmp_sync_all(NULL);
    int got[2][3];
#pragma acc host_data use_device(flags)
    got[:][:] = flags [1:2] [2:3] : [left];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) w += got[i][j] != left * 24 + (i + 1) * 6 + j + 2;
    xmp_sync_all(NULL);
#pragma acc parallel loop collapse(2) present(flags)
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 6; j++) flags[i][j] += 1000;
    xmp_sync_all(NULL);
    int one;
#pragma acc host_data use_device(flags)
    one = flags[3][5] : [right];
    w += one != 1000 + right * 24 + 23;
    xmp_sync_all(NULL);
#pragma acc exit data copyout(flags)
    w += flags[0][0] != 1000 + me * 24;
    check(w, "rows and columns");
    return failures != 0;
}
