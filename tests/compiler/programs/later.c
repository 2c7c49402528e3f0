/* SPDX-License-Identifier: Apache-2.0 */
/* What is said while the program runs: template_fix, gblock(*), xmp_malloc; and reductions that say where. */
#include <stdio.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template t[ : ]
#pragma xmp distribute t[block] onto p
#pragma xmp template g( :)
#pragma xmp distribute g(gblock(*)) onto p
#pragma xmp template s[30]
#pragma xmp distribute s[cyclic(2)] onto p
float *a, (*rows)[5];
#pragma xmp align a[i] with t[i]
#pragma xmp align rows[i][*] with t[i]
#pragma xmp shadow a[1]
int *b, *c;
#pragma xmp align b[i] with g(i)
#pragma xmp align c[i] with s[i]

static int failures;

static void expect(int ok, char const* what) {
    if (!ok) {
        printf("node %d of %d: %s\n", xmp_node_num(), xmp_num_nodes(), what);
        failures++;
    }
}

int main(void) {
    int const all = xmp_num_nodes();
    int n = 17 + all, widths[16] = {0}, total = 0;
    for (int k = 0; k < all; k++) total += widths[k] = 3 + k % 2;
#pragma xmp template_fix t[n]
#pragma xmp template_fix(gblock(widths)) g(1 : total)
    a = xmp_malloc(xmp_desc_of(a), n);
    rows = (float(*)[5])xmp_malloc(xmp_desc_of(rows), n, 5);
    c = xmp_malloc(xmp_desc_of(c), 30);
#pragma xmp loop on t[i]
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        for (int j = 0; j < 5; j++) rows[i][j] = (float)(i - j);
    }
#pragma xmp reflect(a)
    int wrong = 0, count = 0;
#pragma xmp loop on t[i] reduction(+ : wrong, count)
    for (int i = 1; i < n - 1; i++) {
        wrong += a[i - 1] != (float)i - 1 || a[i + 1] != (float)i + 1 || rows[i][3] != (float)i - 3;
        count++;
    }
    expect(wrong == 0 && count == n - 2, "an array of a size that is said later");
    int mine = 0;
#pragma xmp loop on g(i)
    for (int i = 1; i <= total; i++) mine++;
    expect(mine == widths[xmpc_node_num()], "gblock(*)");
#pragma xmp loop on s[i]
    for (int i = 0; i < 30; i++) c[i] = 30 - i;
    int sum = 0;
#pragma xmp loop on s[i] reduction(+ : sum)
    for (int i = 0; i < 30; i++) sum += c[i] * i;
    expect(sum == 30 * 29 * 30 / 2 - 29 * 30 * 59 / 6, "a cyclic pointer");
    xmp_free(xmp_desc_of(c));
    c = xmp_malloc(xmp_desc_of(c), 28);
#pragma xmp loop on s[i]
    for (int i = 0; i < 28; i++) c[i] = 1;
    sum = 0;
#pragma xmp loop on s[i] reduction(+ : sum)
    for (int i = 0; i < 28; i++) sum += c[i];
    expect(sum == 28, "memory that was freed and made again");

    double most = -1, least = 1e9, top = -1;
    int i_most = -1, twice = -1, i_least = -1, i_top = -1;
#pragma xmp loop on t[i] reduction(firstmax                                                                                        \
                                   : most / i_most, twice /) reduction(lastmin                                                     \
                                                                       : least / i_least /) reduction(max                          \
                                                                                                      : top / i_top /)
    for (int i = 0; i < n; i++) {
        double const v = (i == 5 || i == 11) ? 50 : (i == 3 || i == 9) ? -4 : i;
        if (v > most) {
            most = v;
            i_most = i;
            twice = 2 * i;
        }
        if (v <= least) {
            least = v;
            i_least = i;
        }
        if (i > top) {
            top = i;
            i_top = i;
        }
    }
    expect(most == 50 && i_most == 5 && twice == 10, "firstmax");
    expect(least == -4 && i_least == 9, "lastmin");
    expect(top == n - 1 && i_top == n - 1, "max with a location");
    int value = -(xmpc_node_num() - 1) * (xmpc_node_num() - 1), where = xmp_node_num();
#pragma xmp reduction(max : value / where /)
    expect(value == (all > 1 ? 0 : -1) && where == (all > 1 ? 2 : 1), "a reduction that says where");
    return failures != 0;
}
