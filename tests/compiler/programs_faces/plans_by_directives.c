/* SPDX-License-Identifier: Apache-2.0 */
/* The plans that halos by directives have, in files FOLDER/RANK. What a directive makes is caught where it asks the C face for it.
 * plans_by_cxx.cpp has the same halos. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sode/sode.h>
#include <stdio.h>
#include <xmp.h>

static sode_exchange* made; /* by the last directive */

int sode_exchange_create(int count, sode_array* const* arrays, sode_exchange_options const* options, sode_exchange** exchange) {
    int (*real)(int, sode_array* const*, sode_exchange_options const*, sode_exchange**);
    *(void**)&real = dlsym(RTLD_NEXT, "sode_exchange_create");
    int const code = real(count, arrays, options, exchange);
    made = *exchange;
    return code;
}

static void tell(FILE* file, char const* what) {
    for (int k = 0; k < 2; k++) {
        char const* text = "none";
        if (made) (void)sode_exchange_dump(made, k == 0 ? "text" : "json", &text);
        fprintf(file, "%s\n%s\n", what, text);
    }
    made = NULL;
}

#define ROWS                                                                                                                       \
    48 /* blocks of equal size: those of the specification are as long as possible, the C++ face's differ by one at most           \
        */
#define COLUMNS                                                                                                                    \
    (SECOND * 30) /* rows fill cache lines: the C++ face would fill them up, and here distances are those of the program */
#pragma xmp nodes p[*]
#pragma xmp nodes q[FIRST][SECOND]
#pragma xmp template t[ROWS][32]
#pragma xmp distribute t[block][*] onto p
#pragma xmp template s[ROWS][COLUMNS]
#pragma xmp distribute s[block][block] onto q
double u[ROWS][32];
float v[ROWS][COLUMNS];
#pragma xmp align u[i][j] with t[i][j]
#pragma xmp align v[i][j] with s[i][j]
#pragma xmp shadow u[2 : 1][0]
#pragma xmp shadow v[1][1]

int main(int argc, char** argv) {
    char name[4096];
    if (argc < 2) return 2;
    snprintf(name, sizeof name, "%s/%d", argv[1], xmpc_node_num());
    FILE* const file = fopen(name, "w");
    if (!file) return 2;
#pragma xmp reflect_init(u)
    tell(file, "rows");
#pragma xmp reflect_init(u) width(1, 0) orthogonal
    tell(file, "one layer");
#pragma xmp reflect_init(u) width(/ periodic / 2 : 1, 0)
    tell(file, "periodic rows");
#pragma xmp reflect_init(v)
    tell(file, "blocks with corners");
#pragma xmp reflect(v) orthogonal
    tell(file, "blocks");
#pragma xmp reflect_init(v) width(/ periodic / 1, / periodic / 1) orthogonal
    tell(file, "periodic blocks");
    return fclose(file);
}
