/* SPDX-License-Identifier: Apache-2.0 */
/* acc routine functions that loops over distributed arrays call: seq, vector, with values and with rows. */
#include <stdio.h>
#include <xmp.h>
#define N 20
#define M 7
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N][M], s[N];
#pragma xmp align a[i][*] with t[i]
#pragma xmp align s[i] with t[i]
#pragma acc routine seq
static double square(double v) {
    return v * v;
}
#pragma acc routine seq
extern double row_sum(double const* row, int n);
double later(int i);
#pragma acc routine(later) seq
#pragma acc routine seq
double row_sum(double const* row, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += row[j];
    return sum;
}
double later(int i) {
    return i % 2 ? 1.0 : -1.0;
}
#pragma acc routine seq
static void set_row(double row[M], int i) {
    for (int j = 0; j < M; j++) row[j] = i + 10.0 * j;
}
int main(void) {
    int wrong = 0;
#pragma acc data copyout(a, s)
    {
#pragma acc parallel loop
#pragma xmp loop on t[i]
        for (int i = 0; i < N; i++) {
            set_row(a[i], i);
            s[i] = square(row_sum(a[i], M)) + row_sum(&a[i][1], 2) + later(i);
        }
    }
#pragma xmp loop on t[i] reduction(+ : wrong)
    for (int i = 0; i < N; i++) {
        double sum = M * i + 10.0 * M * (M - 1) / 2;
        wrong += s[i] != sum * sum + 2 * i + 30.0 + (i % 2 ? 1 : -1);
        for (int j = 0; j < M; j++) wrong += a[i][j] != i + 10.0 * j;
    }
    if (wrong) printf("%d wrong\n", wrong);
    return wrong != 0;
}
