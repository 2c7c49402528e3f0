/* SPDX-License-Identifier: Apache-2.0 */
/* Coarrays that are made by calls, and sections, local arrays and transfers that are described by calls. */
#include <stdio.h>
#include <xmp.h>

static int failures;

static void expect(int ok, int line) {
    if (!ok) {
        printf("image %d of %d: line %d\n", xmpc_this_image(), xmp_num_images(), line);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

static xmp_array_section_t *section(int dims, long const *numbers) {
    xmp_array_section_t *s = xmp_new_array_section(dims);
    for (int d = 0; d < dims; d++) EXPECT(xmp_array_section_set_triplet(s, d, numbers[3 * d], numbers[3 * d + 1], (int)numbers[3 * d + 2]) == XMP_SUCCESS);
    return s;
}

static void moves(int me, int n) {
    long extents[2] = {6, 8};
    int right[1] = {(me + 1) % n}, left = (me + n - 1) % n, unused[1];
    double (*a)[8];
    xmp_desc_t d = xmp_new_coarray(sizeof(double), 2, extents, 1, unused, (void **)&a);
    EXPECT(a[5][7] == 0);
    for (int i = 0; i < 6; i++) for (int j = 0; j < 8; j++) a[i][j] = 100 * me + 10 * i + j;
    xmp_sync_all(NULL);

    double b[4][3];
    long all_of_b[2] = {4, 3};
    xmp_local_array_t *local = xmp_new_local_array(sizeof(double), 2, all_of_b, b);
    xmp_array_section_t *there = section(2, (long[]){5, 2, -3, 1, 3, 2}), *here = section(2, (long[]){1, 2, 2, 0, 3, 1});
    EXPECT(xmp_coarray_get_local(right, d, there, local, here) == XMP_SUCCESS);
    for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) EXPECT(b[1 + 2 * i][j] == 100 * right[0] + 10 * (5 - 3 * i) + 1 + 2 * j);
    xmp_sync_all(NULL);

    for (int j = 0; j < 3; j++) b[1][j] = -1000 * me - j, b[3][j] = -1000 * me - 10 - j;
    EXPECT(xmp_coarray_put_local(right, d, there, local, here) == XMP_SUCCESS);
    xmp_sync_all(NULL);
    for (int i = 0; i < 6; i++) for (int j = 0; j < 8; j++) {
        int in = (i == 5 || i == 2) && j % 2 == 1 && j < 7;
        EXPECT(a[i][j] == (in ? -1000 * left - (i == 5 ? 0 : 10) - (j - 1) / 2 : 100 * me + 10 * i + j));
    }
    xmp_sync_all(NULL);

    /* One element; whole rows of another coarray; parts of the same one, which overlap where there is one image. */
    xmp_array_section_t *one = section(2, (long[]){4, 1, 1, 7, 1, 1});
    double v = 7.5 + me, w = 0;
    xmp_coarray_put_scalar(right, d, one, &v);
    xmp_sync_memory(NULL);
    xmp_coarray_get_scalar(right, d, one, &w);
    EXPECT(w == v);
    xmp_sync_all(NULL);
    EXPECT(a[4][7] == 7.5 + left);
    long row[1] = {8};
    double *c;
    xmp_desc_t e = xmp_new_coarray(sizeof(double), 1, row, 1, unused, (void **)&c);
    for (int j = 0; j < 8; j++) c[j] = 1000 + me;
    xmp_array_section_t *line = section(1, (long[]){0, 8, 1}), *first = section(2, (long[]){0, 1, 1, 0, 8, 1});
    xmp_sync_all(NULL);
    xmp_coarray_put(right, d, first, e, line);
    xmp_sync_all(NULL);
    for (int j = 0; j < 8; j++) EXPECT(a[0][j] == 1000 + left), a[0][j] = 10 * me + j;
    xmp_sync_all(NULL);
    xmp_array_section_t *up = section(2, (long[]){0, 1, 1, 1, 7, 1}), *down = section(2, (long[]){0, 1, 1, 0, 7, 1});
    int self[1] = {me};
    xmp_coarray_put(self, d, up, d, down);
    for (int j = 1; j < 8; j++) EXPECT(a[0][j] == 10 * me + j - 1);
    xmp_coarray_get(self, d, down, d, up);
    for (int j = 1; j < 8; j++) EXPECT(a[0][j] == 10 * me + (j > 2 ? j - 2 : 0));

    /* Its memory is a coarray as others are. */
    xmp_sync_all(NULL);
    a[1][1]:[right[0]] = 5 + me;
    xmp_sync_all(NULL);
    EXPECT(a[1][1] == 5 + left);
    xmp_sync_all(NULL);
    xmp_free_array_section(there), xmp_free_array_section(here), xmp_free_array_section(one), xmp_free_array_section(line);
    xmp_free_array_section(first), xmp_free_array_section(up), xmp_free_array_section(down);
    xmp_free_local_array(local);
    EXPECT(xmp_coarray_deallocate(d) == XMP_SUCCESS);
    EXPECT(xmp_coarray_deallocate(e) == XMP_SUCCESS);
}

/* Two codimensions: x:[i][j] is image i + 2 j. */
static void grid(int me, int n) {
    int codimensions[2] = {2, 0}, *x;
    xmp_desc_t d = xmp_new_coarray(sizeof(int), 0, NULL, 2, codimensions, (void **)&x);
    *x = 50 + me;
    xmp_array_section_t *it = xmp_new_array_section(0);
    xmp_sync_all(NULL);
    for (int k = 0; k < n; k++) {
        int image[2] = {k % 2, k / 2}, v = 0;
        xmp_coarray_get_scalar(image, d, it, &v);
        EXPECT(v == 50 + k);
    }
    xmp_free_array_section(it);
    xmp_coarray_deallocate(d);
}

/* Many, one after another, of other sizes and with nothing in them. */
static void cycles(int me, int n) {
    for (int k = 0; k < 40; k++) {
        long extents[1] = {k % 4 ? 1 + 97 * k : 0};
        int *x, image[1] = {(me + k) % n};
        xmp_desc_t d = xmp_new_coarray(sizeof(int), 1, extents, 1, image, (void **)&x);
        xmp_array_section_t *s = xmp_new_array_section(1);
        xmp_array_section_set_info(s, 0, 0, extents[0]);
        for (long i = 0; i < extents[0]; i++) EXPECT(x[i] == 0), x[i] = me + k;
        xmp_sync_all(NULL);
        static int y[4096];
        xmp_local_array_t *l = xmp_new_local_array(sizeof(int), 1, extents, y);
        xmp_coarray_get_local(image, d, s, l, s);
        for (long i = 0; i < extents[0]; i++) EXPECT(y[i] == image[0] + k);
        xmp_free_local_array(l);
        xmp_free_array_section(s);
        xmp_coarray_deallocate(d);
    }
}

/* Image 0 meets each of the others, which meet it alone. */
static void meetings(int me, int n) {
    static int shared;
    int *x, image[1] = {0}, status = -1;
    xmp_desc_t d = xmp_new_coarray(sizeof(int), 0, NULL, 1, image, (void **)&x);
    for (int k = 0; k < 5; k++) {
        if (me == 0) {
            *x = 10 + k;
            xmp_sync_images_all(&status);
            EXPECT(status == XMP_STAT_OK);
            xmp_sync_images_all(NULL);
        } else {
            xmp_sync_image(0, &status);
            EXPECT((shared = x[0]:[0]) == 10 + k);
            xmp_sync_image(0, NULL);
        }
    }
    if (n > 1 && me < 2) { /* two of them, by a list */
        int other = 1 - me;
        xmp_sync_images(1, &other, &status);
    }
    xmp_sync_images(0, NULL, &status);
    xmp_coarray_deallocate(d);
}

int main(void) {
    int me = xmpc_this_image(), n = xmp_num_images();
    moves(me, n);
    grid(me, n);
    cycles(me, n);
    meetings(me, n);
    return failures != 0;
}
