/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks whose nodes compute on their devices; communication on parts of the nodes in them. */
#include <stdio.h>
#include <xmp.h>
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N];
#pragma xmp align a[i] with t[i]
int main(void) {
    int n = xmp_num_nodes(), me = xmpc_node_num(), w = 0, x = me + 1, half = (n + 1) / 2;
#pragma acc enter data create(a) copyin(x)
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) a[i] = i;
#pragma xmp task on p[0 : half]
    {
#pragma acc serial present(x)
        x *= 10;
#pragma xmp reduction(+ : x) acc
#pragma xmp barrier acc
    }
#pragma xmp task on t[5]
    {
#pragma acc serial present(a)
        {a[5] = 555;
}
}
#pragma xmp task on t[6 : 4]
{
#pragma acc parallel loop present(a)
#pragma xmp loop on t[i]
    for (int i = 6; i < 10; i++) a[i] = -i;
}
#pragma acc exit data copyout(a, x)
w += x != (me < half ? 10 * half * (half + 1) / 2 : me + 1);
#pragma xmp loop on t[i] reduction(+ : w)
for (int i = 0; i < N; i++) w += a[i] != (i == 5 ? 555 : i >= 6 && i < 10 ? -i : i);
#pragma xmp reduction(+ : w)
if (w) printf("%d wrong\n", w);
return w != 0;
}
