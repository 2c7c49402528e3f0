/* SPDX-License-Identifier: Apache-2.0 */
/* Everything in one unit: static inline functions with directives, _Generic, compound literals, anonymous unions, flexible use of typedef'd arrays, bitfields. */
#include <stdio.h>
#include <stdint.h>
#include <stddef.h>
#include <xmp.h>
enum { L = 20 };
#pragma xmp nodes p[*]
#pragma xmp template t[L]
#pragma xmp distribute t[block] onto p
typedef union { double d; uint64_t u; struct { uint32_t lo, hi; }; } word;
typedef struct { unsigned kind : 3, on : 1; float f; word w; } item;
typedef item items[L];
static items list;
#pragma xmp align list[i] with t[i]
#pragma xmp shadow list[1:0]
static _Alignas(64) float vec[L];
#pragma xmp align vec[i] with t[i]
#define show(x) _Generic((x), float: 1, double: 2, int: 3, item: 4, default: 5)
static inline item make(int i) { return (item){.kind = i % 8, .on = i & 1, .f = (float)i, .w = {.u = (uint64_t)i << 32 | 7}}; }
int main(void) {
    int bad = 0;
#pragma xmp loop on t[i]
    for (int i = 0; i < L; i++) { list[i] = make(i); vec[i] = list[i].f * 2; }
#pragma xmp reflect (list)
#pragma xmp loop on t[i] reduction(+:bad)
    for (int i = 1; i < L; i++) {
        item const *const before = &list[i - 1];
        bad += before->kind != (unsigned)(i - 1) % 8 || before->on != ((i - 1) & 1) || before->w.hi != (uint32_t)i - 1 || before->w.lo != 7;
        bad += show(list[i]) != 4 || show(list[i].f) != 1 || show(list[i].w.d) != 2 || show(vec[i]) != 1;
        bad += offsetof(item, w) != 8 || sizeof list[i] != sizeof(item) || _Alignof(item) != 8;

    }
    bad += sizeof list != L * sizeof(item) || sizeof(items) != sizeof list || sizeof vec / sizeof *vec != L;
    item own[3];
#pragma xmp gmove
    own[0:3] = list[L - 3:3];
    for (int k = 0; k < 3; k++) bad += own[k].kind != (unsigned)(L - 3 + k) % 8 || own[k].w.lo != 7;
    item one;
#pragma xmp gmove
    one = list[5];
    bad += one.f != 5;
#pragma xmp bcast (one) from p[0]
    typeof(vec[0]) s = 0;
#pragma xmp loop on t[i] reduction(+:s)
    for (int i = 0; i < L; i++) s += ((float[]){0, vec[i]})[1];
    bad += s != L * (L - 1);
#pragma xmp reduction (+:bad)
    return bad != 0;
}
