/* SPDX-License-Identifier: Apache-2.0 */
/* examples/himeno.cpp without Sode: the same steps by the same arithmetic, hence the same pressure.

       himeno_serial -g S -s 100 --dump pressure.raw */
#include "serial/support.h"
#include "stencil/plain_kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long size_of(char const* name) {
    static char const* const names[] = {"XS", "S", "M", "L", "XL"};
    for (int i = 0; i < 5; ++i)
        if (strcmp(name, names[i]) == 0) return 32L << i;
    fail("there is no Himeno grid of that name", name);
}

/* Arrays one behind the other, as the benchmark's static ones are: the padding keeps them off each other's cache sets. */
static float* place_arrays(struct plain_himeno* h) {
    enum { arrays = 14 };
    long const volume = (h->n + 1) * (h->n + 1) * (2 * h->n + 1);
    float* const memory = allocate(arrays * volume, sizeof(float));
    float** const all[arrays] = {&h->p[0], &h->p[1], &h->a[0], &h->a[1], &h->a[2], &h->a[3], &h->b[0],
                                 &h->b[1], &h->b[2], &h->c[0], &h->c[1], &h->c[2], &h->bnd,  &h->wrk};
    for (long k = 0; k < arrays; ++k) *all[k] = memory + k * volume;
    return memory;
}

static long at(struct plain_himeno const* h, long i, long j, long k) {
    return (i * (h->n + 1) + j) * (2 * h->n + 1) + k;
}

static void fill(struct plain_himeno* h) {
    for (long i = 0; i < h->n; ++i)
        for (long x = at(h, i, 0, 0); x < at(h, i + 1, 0, 0); ++x) {
            h->p[0][x] = h->p[1][x] = (float)(i * i) / (float)((h->n - 1) * (h->n - 1));
            h->a[0][x] = h->a[1][x] = h->a[2][x] = h->c[0][x] = h->c[1][x] = h->c[2][x] = h->bnd[x] = 1.0f;
            h->a[3][x] = 1.0f / 6;
            h->b[0][x] = h->b[1][x] = h->b[2][x] = h->wrk[x] = 0.0f;
        }
}

static void dump(struct plain_himeno const* h, float const* p, char const* file) {
    FILE* const out = fopen(file, "wb");
    if (!out) fail("cannot write", file);
    for (long i = 0; i < h->n; ++i)
        for (long j = 0; j < h->n; ++j)
            if (fwrite(p + at(h, i, j, 0), sizeof *p, (size_t)(2 * h->n), out) != (size_t)(2 * h->n)) fail("cannot write", file);
    if (fclose(out) != 0) fail("cannot write", file);
}

int main(int argc, char** argv) {
    struct plain_himeno h = {.n = size_of("S")};
    long steps = 100;
    char const* file = NULL;
    for (int i = 1; i < argc; i += 2) {
        char const* const value = value_of(argc, argv, i);
        if (strcmp(argv[i], "-g") == 0)
            h.n = size_of(value);
        else if (strcmp(argv[i], "-s") == 0)
            steps = number(value, 0);
        else if (strcmp(argv[i], "--dump") == 0)
            file = value;
        else
            fail("no option of this program", argv[i]);
    }
    float* const memory = place_arrays(&h);
    fill(&h);

    double gosa = 0;
    double const begin = seconds();
    for (long t = 0; t < steps; ++t) gosa = plain_himeno_sweep(&h, (int)(t % 2), 1, h.n - 1);
    double const each = steps > 0 ? (seconds() - begin) / (double)steps : 0;

    printf("gosa %.9e\n", gosa);
    if (steps > 0) {
        double const operations = 34.0 * (double)(h.n - 2) * (double)(h.n - 2) * (double)(2 * h.n - 2);
        printf("%.1f MFLOPS\n%.3f ms a step\n", operations / each * 1e-6, 1e3 * each);
    }
    if (file) dump(&h, h.p[steps % 2], file);
    free(memory);
    return 0;
}
