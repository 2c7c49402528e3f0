/* SPDX-License-Identifier: Apache-2.0 */
/* kernels regions of several loops, acc loop independent / seq, private arrays, gang(n) worker(n) vector(n), num_gangs. */
#include <stdio.h>
#include <xmp.h>
#define N 18
#define M 12
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp distribute t[block][*] onto p
int a[N][M], b[N][M], c[N];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp align c[i] with t[i][*]
int main(void) {
    int wrong = 0;
#pragma acc data copyout(a, b, c)
    {
#pragma acc kernels
        {
#pragma xmp loop(i, j) on t[i][j]
#pragma acc loop independent gang
            for (int i = 0; i < N; i++)
#pragma acc loop independent vector(16)
                for (int j = 0; j < M; j++) a[i][j] = i * M + j;
#pragma acc loop independent
#pragma xmp loop on t[i][*]
            for (int i = 0; i < N; i++) c[i] = i * i;
        }
        int row[M];
#pragma acc parallel num_gangs(4) num_workers(2) vector_length(32) private(row)
        {
#pragma xmp loop on t[i][*]
#pragma acc loop gang
            for (int i = 0; i < N; i++) {
#pragma acc loop seq
                for (int j = 0; j < M; j++) row[j] = a[i][M - 1 - j];
#pragma acc loop vector
                for (int j = 0; j < M; j++) b[i][j] = row[j] + c[i];
            }
        }
    }
#pragma xmp loop(i, j) on t[i][j] reduction(+ : wrong)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) wrong += a[i][j] != i * M + j || b[i][j] != i * M + M - 1 - j + i * i;
    if (wrong) printf("%d wrong\n", wrong);
    return wrong != 0;
}
