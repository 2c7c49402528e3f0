/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes say of directives that ask for what is not there: one mistake for each argument. Two ranks. */
#include <stdlib.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template t[8][8]
#pragma xmp distribute t[block][*] onto p
static int u[8][8];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp shadow u[1][1]

static void few_widths(void) {
    int widths[1] = {8};
#pragma xmp template v[8]
#pragma xmp distribute v[gblock(widths)] onto p
}

static void few_widths_later(void) {
    int widths[1] = {8};
#pragma xmp template v[ : ]
#pragma xmp distribute v[gblock(*)] onto p
#pragma xmp template_fix[gblock(widths)] v[8]
}

static void another_barrier(void) {
#pragma xmp task on p[0]
    {
#pragma xmp barrier on p
    }
}

static void wide_reflect(void) {
#pragma xmp reflect(u) width(1, 2)
}

static void shorter_rows(int a[8][8]) {
#pragma xmp align a[i][j] with t[i][j]
    (void)a[0][0];
}

static void move_from_outside(void) {
#pragma xmp task on p[0]
    {
        int row[8];
#pragma xmp gmove
        row[:] = u[7][:];
    }
}

static void move_to_outside(void) {
#pragma xmp task on p[0]
    {
#pragma xmp gmove in
        u [6:2][:] = u [0:2][:];
    }
}

static void move_out_from_outside(void) {
#pragma xmp task on p[0]
    {
#pragma xmp gmove out
        u[6][:] = u[7][:];
    }
}

static void set_outside(void) {
#pragma xmp task on p[0]
    {
#pragma xmp gmove
        u [2:4][0] = 1;
    }
}

int main(int argc, char** argv) {
    switch (argc > 1 ? atoi(argv[1]) : 0) {
    case 1: few_widths(); break;
    case 2: few_widths_later(); break;
    case 3: another_barrier(); break;
    case 4: wide_reflect(); break;
    case 5: shorter_rows(u); break;
    case 6: move_from_outside(); break;
    case 7: move_to_outside(); break;
    case 8: move_out_from_outside(); break;
    case 9: set_outside(); break;
    default: break;
    }
    return 0;
}
