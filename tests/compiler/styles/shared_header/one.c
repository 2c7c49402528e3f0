/* SPDX-License-Identifier: Apache-2.0 */
#include "common.h"
#include <stdio.h>
double field[NR][NC];
int marks[NR];
static double other[NR][NC];
#pragma xmp align other[i][*] with t[i]
#pragma xmp shadow other[1][0]
int image_sum:[*];
int tickets[4]:[*];
int main(void) {
    int bad = 0;
    clear();
#pragma xmp loop on t[i]
    for (int i = 0; i < NR; i++) for (int j = 0; j < NC; j++) { field[i][j] = i; other[i][j] = 2 * i + j; }
    double s = sum_of(field, 0, NR), r = sum_of(other, 2, 5);
    if (s != NC * (NR * (NR - 1) / 2)) bad++;
    if (r != NC * 18 + 3 * NC * (NC - 1) / 2) bad++;
#pragma xmp reflect (other)
    step(field, (double const (*)[NC])other, NR);
#pragma xmp loop on t[i] reduction(+:bad)
    for (int i = 1; i < NR - 1; i++) for (int j = 0; j < NC; j++) bad += field[i][j] != 4 * i + 2 * j;
    int const me = xmpc_this_image(), n = xmp_num_images();
    image_sum = me + 1;
    xmp_sync_all(NULL);
    int const next = image_sum:[(me + 1) % n];
    if (next != (me + 1) % n + 1) bad++;
    tickets[1:2]:[(me + 1) % n] = me;
    xmp_sync_all(NULL);
    if (tickets[1] != (me + n - 1) % n || tickets[2] != tickets[1] || tickets[0] || tickets[3]) bad++;
#pragma xmp reduction(+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
