/* SPDX-License-Identifier: Apache-2.0 */
/* Seven dimensions on the device. */
#include <stdio.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[4][3][9][2][2][3][2]
#pragma xmp distribute t[*][*][block][*][*][*][*] onto p
int a[4][3][9][2][2][3][2], b[4][3][9][2][2][3][2];
#pragma xmp align a[i][j][k][l][m][n][o] with t[i][j][k][l][m][n][o]
#pragma xmp align b[i][j][k][l][m][n][o] with t[i][j][k][l][m][n][o]
#pragma xmp shadow a[0][0][1][0][0][0][0]
int main(void) {
    int w = 0, i, j, k, l, m, n, o;
#pragma acc enter data create(a, b)
#pragma acc parallel loop collapse(7) present(a)
#pragma xmp loop(i, j, k, l, m, n, o) on t[i][j][k][l][m][n][o]
    for (i = 0; i < 4; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 9; k++)
                for (l = 0; l < 2; l++)
                    for (m = 0; m < 2; m++)
                        for (n = 0; n < 3; n++)
                            for (o = 0; o < 2; o++)
                                a[i][j][k][l][m][n][o] = ((((((i * 3 + j) * 9 + k) * 2 + l) * 2 + m) * 3) + n) * 2 + o;
#pragma xmp reflect(a) width(0, 0, / periodic / 1, 0, 0, 0, 0) acc
#pragma acc parallel loop collapse(3) present(a, b)
#pragma xmp loop(k) on t[*][*][k][*][*][*][*]
    for (i = 0; i < 4; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 9; k++)
                for (l = 0; l < 2; l++)
                    for (m = 0; m < 2; m++)
                        for (n = 0; n < 3; n++)
                            for (o = 0; o < 2; o++)
                                b[i][j][k][l][m][n][o] = a[i][j][k - 1][l][m][n][o] - a[i][j][k + 1][l][m][n][o];
#pragma acc exit data copyout(b) delete (a)
#pragma xmp loop(i, j, k) on t[i][j][k][*][*][*][*] reduction(+ : w)
    for (i = 0; i < 4; i++)
        for (j = 0; j < 3; j++)
            for (k = 0; k < 9; k++)
                for (l = 0; l < 2; l++)
                    for (m = 0; m < 2; m++)
                        for (n = 0; n < 3; n++)
                            for (o = 0; o < 2; o++) w += b[i][j][k][l][m][n][o] != ((k + 8) % 9 - (k + 1) % 9) * 24;
    if (w) printf("%d wrong\n", w);
    return w != 0;
}
