/* SPDX-License-Identifier: Apache-2.0 */
/* Gather by global index through `gmove in` of single elements whose places differ on every node inside a task; histogram by coarray atomics and locks. */
#include <stdio.h>
#include <xmp.h>
#define N 40
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int table_[N];
#pragma xmp align table_[i] with t[i]
int hist[8]:[*];
xmp_lock_t guard[8]:[*];
int main(void) {
    int const me = xmpc_node_num(), n = xmp_num_nodes();
    int bad = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) table_[i] = (i * 17) % N;
    for (int i = 0; i < 8; i++) hist[i] = 0;
    xmp_sync_all(NULL);
#pragma xmp barrier
    int at = me % N;
    for (int hop = 0; hop < 10; hop++) {
        int next = -1;
#pragma xmp task on p[me]
        {
#pragma xmp gmove in
            next = table_[at];
        }
        if (next != (at * 17) % N) bad++;
        at = next;
        int const bin = next % 8, who = bin % n, ok = 0;
        (void)ok;
#pragma xmp lock (guard[bin]:[who])
        hist[bin]:[who] = hist[bin]:[who] + 1;
        xmp_sync_memory(NULL);
#pragma xmp unlock (guard[bin]:[who])
    }
    xmp_sync_all(NULL);
    int sum = 0, want[8] = {0};
    for (int b = 0; b < 8; b++) sum += hist[b];
#pragma xmp reduction (+:sum)
    bad += sum != 10 * n;
    for (int k = 0; k < n; k++) for (int h = 0, a = k % N; h < 10; h++) { a = (a * 17) % N; want[a % 8]++; }
    for (int b = 0; b < 8; b++) { int const have = hist[b]:[b % n]; bad += have != want[b]; }
    xmp_sync_all(NULL);
#pragma xmp task on p[n - 1]
    {
        int v[3] = {-1, -2, -3};
#pragma xmp gmove out
        table_[0:3] = v[:];
    }
#pragma xmp barrier
    int all[N];
#pragma xmp gmove
    all[:] = table_[:];
    for (int i = 0; i < N; i++) bad += all[i] != (i < 3 ? -1 - i : (i * 17) % N);
#pragma xmp reduction (+:bad)
    if (bad) printf("bad %d\n", bad);
    return bad != 0;
}
