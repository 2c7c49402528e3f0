/* SPDX-License-Identifier: Apache-2.0 */
/* What clauses name: members, elements, pointers, dereferences, through typedefs and unions, of arrays of structures. */
#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <xmp.h>
#pragma xmp nodes p[*]
struct inner { double v[3]; int n; };
typedef struct { struct inner in[2]; struct inner *ptr; union { int i; float f; }; bool flag; } outer;
static outer g;
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d node %d\n", __LINE__, xmp_all_node_num()); } } while (0)
static void work(outer *o, int *count, double (*rows)[3]) {
    int const me = xmpc_node_num(), n = xmp_num_nodes(), t = n * (n - 1) / 2;
    o->in[1].v[2] = me; o->in[0].n = me + 1; *count = me; rows[1][2] = me; o->ptr->n = 3 * me; o->i = me; o->flag = me == n - 1;
#pragma xmp reduction (+:o->in[1].v[2], o->in[0].n, *count, rows[1][2])
#pragma xmp reduction (max:o->ptr->n, o->i)
#pragma xmp reduction (||:o->flag)
    EXPECT(o->in[1].v[2] == t && o->in[0].n == t + n && *count == t && rows[1][2] == t && o->ptr->n == 3 * (n - 1) && o->i == n - 1 && o->flag);
    for (int k = 0; k < 3; k++) { o->in[0].v[k] = me * 10 + k; rows[0][k] = me; rows[1][k] = -me; }
#pragma xmp bcast (o->in[0].v, rows[0][0:2]) from p[n - 1]
    for (int k = 0; k < 3; k++) EXPECT(o->in[0].v[k] == (n - 1) * 10 + k && rows[0][k] == (k < 2 ? n - 1 : me) && rows[1][k] == -me);
    o->in[1].n = me == 0 ? 42 : 0;
#pragma xmp bcast (o->in[1], *o->ptr) from p[0]
    EXPECT(o->in[1].n == 42 && o->in[1].v[2] == t);
    char text[16] = "";
    if (me == 0) strcpy(text, "hello");
#pragma xmp bcast (text) from p[0]
    EXPECT(strcmp(text, "hello") == 0);
    int const *const where = &o->in[1].n;
    EXPECT(*where == 42);
    float w[2][2] = {{me, 1}, {2, 3}}, *first = &w[0][0];
#pragma xmp reduction (+:first[0])
    EXPECT(w[0][0] == t && w[0][1] == 1);
#pragma xmp reduction (min:w[1])
    EXPECT(w[1][0] == 2);
    unsigned long long big = 1ULL << (40 + me % 8);
#pragma xmp reduction (|:big)
    unsigned long long all = 0;
    for (int k = 0; k < n; k++) all |= 1ULL << (40 + k % 8);
    EXPECT(big == all);
}
int main(void) {
    struct inner far = {{0}, 0};
    int count;
    double rows[2][3];
    g.ptr = &far;
    work(&g, &count, rows);
    outer local = {.ptr = &far};
    work(&local, &count, rows);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
