/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of the language that no other program has: static_desc, `align a[:]`, wait_async with `on`, locations in the order of
 * iterations, elemental functions in sections. */
#include <math.h>
#include <stdio.h>
#include <xmp.h>

#define N 29
#pragma xmp nodes p[*]
#pragma xmp template t[N], c[N], b[N][N]
#pragma xmp distribute t[block] onto p
#pragma xmp distribute c[cyclic(2)] onto p
double u[N], w[N][3];
int v[N];
#pragma xmp align u[:] with t[:]
#pragma xmp align w[:][*] with t[:]
#pragma xmp align v[i] with c[i]
/* Colons belong together in the order of C, and round brackets are the other way round: the columns of m are split. */
#pragma xmp template two(0 : N - 1, 0 : 8)
#pragma xmp distribute two(block, *) onto p
int m[9][N];
#pragma xmp align m[:][:] with two(:, :)
#pragma xmp static_desc p, two
#pragma xmp shadow u[1]

/* Other pragmas stay. */
#pragma pack(push, 1)
struct packed {
    char letter;
    int number;
};
#pragma pack(pop)

static int failures;

static void expect(int right, char const* what, int line) {
    if (right) return;
    printf("node %d of %d: rows.c:%d: %s\n", xmp_node_num(), xmp_num_nodes(), line, what);
    failures++;
}
#define EXPECT(x) expect(x, #x, __LINE__)

/* What is declared here is made once. */
static double kept(int times) {
#pragma xmp nodes q[*]
#pragma xmp template s[N]
#pragma xmp static_desc q, s
#pragma xmp distribute s[block] onto q
    double a[N];
#pragma xmp static_desc :: a
#pragma xmp align a[i] with s[i]
#pragma xmp shadow a[1]
    double sum = 0;
#pragma xmp loop on s[i]
    for (int i = 0; i < N; i++) a[i] = i * times;
#pragma xmp reflect(a)
#pragma xmp loop on s[i] reduction(+ : sum)
    for (int i = 1; i < N; i++) sum += a[i - 1];
    return sum;
}

/* Of equal values the first iteration's, or the last one's, whoever owns it. */
static void locations(void) {
    int largest, at;
#pragma xmp loop on c[i]
    for (int i = 0; i < N; i++) v[i] = i % 7;
    largest = at = -1;
#pragma xmp loop on c[i] reduction(firstmax : largest / at /)
    for (int i = 0; i < N; i++)
        if (v[i] > largest) largest = v[i], at = i;
    EXPECT(largest == 6 && at == 6);
    largest = at = -1;
#pragma xmp loop on c[i] reduction(lastmax : largest / at /)
    for (int i = 0; i < N; i++)
        if (v[i] >= largest) largest = v[i], at = i;
    EXPECT(largest == 6 && at == 27);
    largest = at = -1;
#pragma xmp loop on t[i] reduction(firstmax : largest / at /)
    for (int i = N - 1; i >= 0; i--)
        if (i % 7 > largest) largest = i % 7, at = i;
    EXPECT(largest == 6 && at == 27);
    int smallest = 100, row = -1, column = -1;
#pragma xmp loop on c[i] reduction(firstmin : smallest / column, row /)
    for (int j = 1; j < N; j++)
        for (int i = 1; i < N; i++)
            if ((i * j) % 5 < smallest) smallest = (i * j) % 5, row = j, column = i;
    EXPECT(smallest == 0 && row == 1 && column == 5);
}

/* The compiler may take for granted that u and v do not overlap, and nothing else: not of an address that was kept, of what a
 * function is given, or of calls. */
static double *kept_address;
static double raised(double *a) {
    return *a += 1;
}
#pragma GCC push_options
#pragma GCC optimize("O3")
static void addresses(void) {
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        u[i] = i;
        kept_address = &u[i];
        double const before = u[i];
        *kept_address = before + 1;
        wrong += u[i] != i + 1;
        wrong += raised(&u[i]) != u[i];
        wrong += u[i] != i + 2;
    }
#pragma xmp reflect(u)
#pragma xmp loop on t[i]
    for (int i = 1; i < N - 1; i++) wrong += u[i - 1] + u[i + 1] != 2 * u[i];
    EXPECT(wrong == 0);
}
#pragma GCC pop_options

int main(void) {
    addresses();
    for (int times = 1; times < 4; times++) EXPECT(kept(times) == times * (N - 1) * (N - 2) / 2);
#pragma xmp loop on t[i]
    for (int i = 0; i < N; i++) {
        u[i] = i;
        w[i][1] = 2 * i;
    }
    double sum = 0;
#pragma xmp loop on t[i] reduction(+ : sum)
    for (int i = 0; i < N; i++) sum += u[i] + w[i][1];
    EXPECT(sum == 3 * N * (N - 1) / 2);
    int last = -1;
#pragma xmp loop(i, j) on two(j, i)
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < N; j++) m[i][j] = 100 * i + j;
#pragma xmp gmove
    last = m[8][N - 1];
    EXPECT(last == 800 + N - 1);
#pragma xmp reflect(u) async(4)
#pragma xmp wait_async(4) on p[:]
    int wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 1; i < N; i++) wrong += u[i - 1] != i - 1;
    EXPECT(wrong == 0);
    locations();
    EXPECT(sizeof(struct packed) == 5);
    double plain[6] = {0, 1, 4, 9, 16, 25}, roots[6];
    roots[:] = sqrt(plain[:]);
    EXPECT(roots[5] == 5);
    /* From the end. */
    roots[0:6] = plain[5:6:-1];
    EXPECT(roots[0] == 25 && roots[5] == 0);
#pragma xmp array on t[0:10]
    u[0:10] = w[0:10][1] + 1;
    wrong = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < 10; i++) wrong += u[i] != 2 * i + 1;
    EXPECT(wrong == 0);
    return failures != 0;
}
