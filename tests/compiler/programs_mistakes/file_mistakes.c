/* SPDX-License-Identifier: Apache-2.0 */
/* Mistakes with files, one a run. */
#include <stdlib.h>
#include <xmp.h>

#pragma xmp nodes p[*]
#pragma xmp template t[16]
#pragma xmp distribute t[block] onto p
double u[16];
#pragma xmp align u[i] with t[i]

int main(int argc, char** argv) {
    int const which = argc > 1 ? atoi(argv[1]) : 0;
    xmp_file_t* file = which == 1 ? NULL : xmp_fopen_all("/dev/null", "r+");
    xmp_range_t* range = xmp_allocate_range(which == 3 ? 2 : 1);
    if (which == 1) return xmp_fseek(file, 0, SEEK_SET);
    if (which == 2) xmp_set_range(range, 1, 10, 7, 1);
    if (which == 4) xmp_file_set_view_all(file, 0, xmp_desc_of(u), NULL);
    if (which == 5) xmp_set_range(range, 0, 0, 1, 1);
    xmp_fwrite_darray_all(file, xmp_desc_of(u), range);
    xmp_free_range(range);
    return xmp_fclose_all(file);
}
