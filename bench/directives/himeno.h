/* SPDX-License-Identifier: Apache-2.0 */
/* Himeno's kernel, as both programs compile it: Jacobi relaxation with 19 points, single precision. */
#define MI 65
#define MJ 65
#define MK 129
#define POINT                                                                                                                      \
    float const s0 = a[0][i][j][k] * p[i + 1][j][k] + a[1][i][j][k] * p[i][j + 1][k] + a[2][i][j][k] * p[i][j][k + 1] +            \
                     b[0][i][j][k] * (p[i + 1][j + 1][k] - p[i + 1][j - 1][k] - p[i - 1][j + 1][k] + p[i - 1][j - 1][k]) +         \
                     b[1][i][j][k] * (p[i][j + 1][k + 1] - p[i][j - 1][k + 1] - p[i][j + 1][k - 1] + p[i][j - 1][k - 1]) +         \
                     b[2][i][j][k] * (p[i + 1][j][k + 1] - p[i - 1][j][k + 1] - p[i + 1][j][k - 1] + p[i - 1][j][k - 1]) +         \
                     c[0][i][j][k] * p[i - 1][j][k] + c[1][i][j][k] * p[i][j - 1][k] + c[2][i][j][k] * p[i][j][k - 1] +            \
                     wrk[i][j][k];                                                                                                 \
    float const ss = (s0 * a[3][i][j][k] - p[i][j][k]) * bnd[i][j][k];                                                             \
    gosa += ss * ss;                                                                                                               \
    wk1[i][j][k] = p[i][j][k] + 0.8f * ss
#define START(i)                                                                                                                   \
    p[i][j][k] = (float)((I) * (I)) / ((MI - 1) * (MI - 1)), wrk[i][j][k] = 0, bnd[i][j][k] = 1,                                   \
    a[0][i][j][k] = a[1][i][j][k] = a[2][i][j][k] = c[0][i][j][k] = c[1][i][j][k] = c[2][i][j][k] = 1, a[3][i][j][k] = 1.0f / 6,   \
    b[0][i][j][k] = b[1][i][j][k] = b[2][i][j][k] = 0
