/* SPDX-License-Identifier: Apache-2.0 */
/* A Fourier transform of two dimensions. Rows are transformed where they lie; then gmove turns the distribution by rows into one by
 * columns, and columns are transformed. The way back shows whether all is right. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#ifndef SIZE
#define SIZE 128
#endif
#pragma xmp nodes p[*]
#pragma xmp template rows[SIZE][SIZE], columns[SIZE][SIZE]
#pragma xmp distribute rows[block][*] onto p
#pragma xmp distribute columns[*][block] onto p
static double complex a[SIZE][SIZE], b[SIZE][SIZE];
#pragma xmp align a[i][j] with rows[i][j]
#pragma xmp align b[i][j] with columns[i][j]

/* In place; SIZE is a power of two. */
static void transform(double complex x[SIZE], int sign) {
    for (int i = 1, j = 0; i < SIZE; i++) {
        int bit = SIZE >> 1;
        for (; j & bit; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex const other = x[i];
            x[i] = x[j];
            x[j] = other;
        }
    }
    for (int n = 2; n <= SIZE; n *= 2)
        for (int i = 0; i < SIZE; i += n)
            for (int k = 0; k < n / 2; k++) {
                double complex const u = x[i + k], v = x[i + k + n / 2] * cexp(sign * 2 * M_PI * I * k / n);
                x[i + k] = u + v;
                x[i + k + n / 2] = u - v;
            }
}

static double complex value(int i, int j) {
    return sin(0.3 * i + 0.1) * cos(0.7 * j) + I * (i % 3 - j % 5);
}

int main(void) {
    double const started = xmp_wtime();
#pragma xmp loop(i) on rows[i][*]
    for (int i = 0; i < SIZE; i++) {
        for (int j = 0; j < SIZE; j++) a[i][j] = value(i, j);
        transform(a[i], -1);
    }
#pragma xmp gmove
    b[:][:] = a[:][:];
    double energy = 0;
#pragma xmp loop(j) on columns[*][j] reduction(+ : energy)
    for (int j = 0; j < SIZE; j++) {
        double complex line[SIZE];
        for (int i = 0; i < SIZE; i++) line[i] = b[i][j];
        transform(line, -1);
        for (int i = 0; i < SIZE; i++) energy += creal(line[i] * conj(line[i]));
        transform(line, 1);
        for (int i = 0; i < SIZE; i++) b[i][j] = line[i] / SIZE;
    }
#pragma xmp gmove
    a[:][:] = b[:][:];
    double error = 0, wanted = 0;
#pragma xmp loop(i) on rows[i][*] reduction(max : error) reduction(+ : wanted)
    for (int i = 0; i < SIZE; i++) {
        transform(a[i], 1);
        for (int j = 0; j < SIZE; j++) {
            error = fmax(error, cabs(a[i][j] / SIZE - value(i, j)));
            wanted += creal(value(i, j) * conj(value(i, j)));
        }
    }
    double const seconds = xmp_wtime() - started;
    int const good = error < 1e-10 && fabs(energy / ((double)SIZE * SIZE * wanted) - 1) < 1e-10; /* Parseval */
#pragma xmp task on p[0]
    printf("FFT, %d x %d, %d nodes: %.3f s, error %.1e: %s\n", SIZE, SIZE, xmp_all_num_nodes(), seconds, error,
           good ? "verified" : "WRONG");
    return !good;
}
