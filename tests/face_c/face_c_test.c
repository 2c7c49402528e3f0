/* SPDX-License-Identifier: Apache-2.0 */
/* The C face, by a program in C: arrays of the library's and of its own, their exchange, reductions, and errors that can be read.
 */
#include <sode/sode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
static sode_runtime* rt;

#define CHECK(condition)                                                                                                           \
    do {                                                                                                                           \
        if (!(condition)) {                                                                                                        \
            fprintf(stderr, "rank %d, %s:%d: %s\n%s\n", sode_rank(rt), __FILE__, __LINE__, #condition, sode_error_text(rt));       \
            ++failures;                                                                                                            \
        }                                                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == SODE_OK)

enum { NY = 24, NX = 17 };

static double value(int64_t i, int64_t j, int step) {
    return (double)(step * 10000 + ((i + NY) % NY) * 100 + j);
}

/* Even and odd ranks apart. */
static void parts(void) {
    int ranks[64], n = 0, sum = 0;
    for (int r = sode_rank(rt) % 2; r < sode_size(rt); r += 2) {
        ranks[n++] = r;
        sum += r;
    }
    sode_runtime* part = NULL;
    OK(sode_part(rt, n, ranks, &part));
    CHECK(sode_size(part) == n && sode_rank(part) == sode_rank(rt) / 2);
    int32_t mine = sode_rank(rt);
    OK(sode_allreduce(part, &mine, 1, SODE_INT32, SODE_SUM));
    CHECK(mine == sum);
    sode_finalize(part);
    part = NULL;
    ranks[n - 1] = ranks[0] = sode_size(rt);
    CHECK(sode_part(rt, n, ranks, &part) == SODE_ERROR_USAGE);
    CHECK(strstr(sode_error_text(part), "cannot form a part of the job") != NULL);
    sode_finalize(part);
}

/* Its own array, padded, and one of the library's, in one exchange; rows wrap round. */
/* One machine: nodes keep the order of ranks, whatever faces cost. */
static void machines(void) {
    int count = 0, of[64], extents[2] = {0, 1}, all = 0, ranks[64];
    sode_nodes* nodes = NULL;
    OK(sode_machines(rt, &count, of));
    CHECK(count == 1);
    for (int r = 0; r < sode_size(rt); r++) CHECK(of[r] == 0);
    OK(sode_machines(rt, &count, NULL));
    CHECK(sode_machines(rt, NULL, of) == SODE_ERROR_USAGE);
    OK(sode_nodes_create_mapped(rt, 2, extents, (double[]){8, 1}, &nodes));
    OK(sode_nodes_ranks(nodes, &all, ranks));
    CHECK(all == sode_size(rt));
    for (int r = 0; r < all; r++) CHECK(ranks[r] == r);
    sode_nodes_destroy(nodes);
    CHECK(sode_nodes_create_mapped(rt, 2, extents, (double[]){-1, 1}, &nodes) == SODE_ERROR_USAGE);
    CHECK(nodes == NULL && strstr(sode_error_text(rt), "a face of the rank grid has a cost of -1") != NULL);
}

static void exchanges(void) {
    sode_grid* g = NULL;
    OK(sode_grid_create(rt, 2, (int64_t[]){NY, NX}, (int[]){sode_size(rt), 1}, &g));
    int64_t lower[2], upper[2];
    OK(sode_grid_owned(g, lower, upper));
    CHECK(lower[1] == 0 && upper[1] == NX);
    int64_t const rows = upper[0] - lower[0] + 3, pitch = NX + 5;
    double* const mine = calloc((size_t)(rows * pitch), sizeof *mine);
    sode_array* arrays[2] = {NULL, NULL};
    int64_t const shadow[] = {1, 2, 0, 0};
    OK(sode_array_attach(g, mine, SODE_DOUBLE, (int64_t[]){pitch, 1}, shadow, "mine", &arrays[0]));
    OK(sode_array_create(g, SODE_DOUBLE, shadow, "theirs", &arrays[1]));
    void* origin = NULL;
    int64_t strides[2], from[2], to[2];
    OK(sode_array_view(arrays[1], &origin, strides, from, to));
    CHECK(from[0] == lower[0] - 1 && to[0] == upper[0] + 2 && strides[1] == 1);
    double* const theirs = origin;

    sode_exchange_options options;
    memset(&options, 0, sizeof options);
    options.periodic[0] = 1;
    options.name = "both";
    sode_exchange* halo = NULL;
    OK(sode_exchange_create(2, arrays, &options, &halo));
    for (int step = 1; step <= 3; ++step) {
        for (int64_t i = lower[0]; i < upper[0]; ++i)
            for (int64_t j = 0; j < NX; ++j) {
                mine[(i - lower[0] + 1) * pitch + j] = value(i, j, step);
                theirs[i * strides[0] + j] = -value(i, j, step);
            }
        OK(sode_exchange_start(halo));
        int done = 0;
        while (!done) OK(sode_exchange_test(halo, &done));
        OK(sode_exchange_wait(halo));
        CHECK(sode_exchange_wait(halo) == SODE_ERROR_USAGE);
        CHECK(strstr(sode_error_text(rt), "both") != NULL);
        int wrong = 0;
        for (int64_t i = lower[0] - 1; i < upper[0] + 2; ++i)
            for (int64_t j = 0; j < NX; ++j)
                wrong +=
                    mine[(i - lower[0] + 1) * pitch + j] != value(i, j, step) || theirs[i * strides[0] + j] != -value(i, j, step);
        CHECK(wrong == 0);
        OK(sode_barrier(rt)); /* nobody writes before all have looked */
    }
    char const* text = NULL;
    OK(sode_exchange_explain(halo, &text));
    CHECK(text != NULL && strchr(text, '\n') != NULL); /* a line for each edge */
    char const* plans = NULL;
    OK(sode_exchange_dump(halo, NULL, &plans));
    CHECK(plans != NULL && strlen(plans) > 0 && strchr(text, '\n') != NULL); /* both texts are there */
    OK(sode_exchange_dump(halo, "json", &plans));
    CHECK(plans[0] == '{' || plans[0] == '[');
    CHECK(sode_exchange_dump(halo, "yaml", &plans) == SODE_ERROR_USAGE);

    /* Ones everywhere, in halos too: every element gets as many as there are copies of it. */
    for (int64_t k = 0; k < rows * pitch; ++k) mine[k] = 1;
    OK(sode_exchange_reverse(halo, SODE_SUM));
    double sum = 0;
    for (int64_t i = lower[0]; i < upper[0]; ++i)
        for (int64_t j = 0; j < NX; ++j) sum += mine[(i - lower[0] + 1) * pitch + j];
    OK(sode_allreduce(rt, &sum, 1, SODE_DOUBLE, SODE_SUM));
    CHECK(sum == (double)(NX * (NY + 3 * sode_size(rt))));
    CHECK(sode_exchange_reverse(halo, SODE_BAND) == SODE_ERROR_USAGE);
    OK(sode_exchange_start(halo));
    OK(sode_exchange_wait(halo));
    sode_exchange_destroy(halo);
    sode_array_destroy(arrays[0]);
    sode_array_destroy(arrays[1]);
    sode_grid_destroy(g);
    free(mine);
}

static void reductions(void) {
    int const me = sode_rank(rt), ranks = sode_size(rt);
    int32_t values[3] = {me, -me, 7};
    OK(sode_allreduce(rt, values, 3, SODE_INT32, SODE_MAX));
    CHECK(values[0] == ranks - 1 && values[1] == 0 && values[2] == 7);
    struct {
        double value;
        int64_t at;
    } most = {(double)(me / 2), 100 - me};
    OK(sode_allreduce(rt, &most, 1, SODE_DOUBLE_AT, SODE_MAX));
    CHECK(most.value == (double)((ranks - 1) / 2) && most.at == 100 - (ranks - 1));
    float z[2] = {1, (float)me}; /* a complex number */
    OK(sode_allreduce(rt, z, 1, SODE_FLOAT_COMPLEX, SODE_SUM));
    CHECK(z[0] == (float)ranks && z[1] == (float)(ranks * (ranks - 1) / 2));
    char text[100] = "";
    if (me == ranks - 1) strcpy(text, "from the last one");
    OK(sode_broadcast(rt, text, sizeof text, ranks - 1));
    CHECK(strcmp(text, "from the last one") == 0);
    CHECK(sode_allreduce(rt, NULL, 0, SODE_DOUBLE, SODE_SUM) == SODE_OK);
}

/* Started several times, with other values. */
static void run(sode_collective* c) {
    int done = 0;
    OK(sode_collective_start(c));
    while (!done) OK(sode_collective_test(c, &done));
    OK(sode_collective_wait(c));
}

static void planned_reductions(void) {
    enum { N = 5 };
    int const me = sode_rank(rt), ranks = sode_size(rt), root = ranks / 2;
    int64_t in[N], out[6][N], many[64], part[2];
    sode_collective* c[7];
    OK(sode_barrier_init(rt, &c[0]));
    OK(sode_reduce_init(rt, in, out[0], N, SODE_INT64, SODE_SUM, root, &c[1]));
    OK(sode_allreduce_init(rt, in, out[1], N, SODE_INT64, SODE_MAX, &c[2]));
    OK(sode_scan_init(rt, in, out[2], N, SODE_INT64, SODE_SUM, &c[3]));
    OK(sode_exscan_init(rt, in, out[3], N, SODE_INT64, SODE_SUM, &c[4]));
    OK(sode_reduce_scatter_init(rt, many, (size_t)(2 * ranks), part, 2, SODE_INT64, SODE_SUM, &c[5]));
    OK(sode_allreduce_init(rt, out[4], out[4], N, SODE_INT64, SODE_SUM, &c[6])); /* in place */
    for (int step = 0; step < 3; ++step) {
        for (int i = 0; i < N; ++i) in[i] = out[4][i] = me + 10 * i + step;
        for (int i = 0; i < 2 * ranks; ++i) many[i] = me * i + step;
        for (int k = 0; k < 4; ++k) memset(out[k], -1, sizeof out[k]);
        for (int k = 0; k < 7; ++k) run(c[k]);
        int const others = me * (me - 1) / 2, all = ranks * (ranks - 1) / 2;
        for (int i = 0; i < N; ++i) {
            int const more = 10 * i + step;
            CHECK(out[0][i] == (me == root ? all + ranks * more : -1));
            CHECK(out[1][i] == ranks - 1 + more);
            CHECK(out[2][i] == others + me + (me + 1) * more);
            CHECK(out[3][i] == (me == 0 ? -1 : others + me * more));
            CHECK(out[4][i] == all + ranks * more);
        }
        CHECK(part[0] == 2 * me * all + ranks * step && part[1] == (2 * me + 1) * all + ranks * step);
    }
    char const* text = NULL;
    OK(sode_collective_explain(c[2], &text));
    char const* plans = NULL;
    OK(sode_collective_dump(c[2], "text", &plans));
    CHECK(plans != NULL && strlen(plans) > 0);
    CHECK(sode_collective_dump(c[2], "yaml", &plans) == SODE_ERROR_USAGE);
    CHECK(text != NULL && strstr(text, "allreduce") != NULL);
    CHECK(sode_collective_wait(c[2]) == SODE_ERROR_USAGE);
    for (int k = 0; k < 7; ++k) sode_collective_destroy(c[k]);
}

static void planned_moves(void) {
    int const me = sode_rank(rt), ranks = sode_size(rt), root = ranks - 1, right = (me + 1) % ranks,
              left = (me + ranks - 1) % ranks;
    int32_t mine[8] = {0}, all[64] = {0}, every[64] = {0}, got[64] = {0}, given[64] = {0}, from_left = 0, told = 0, share[8] = {0};
    sode_piece pieces[8], gathered[8], sent[8], received[8];
    size_t at = 0;
    for (int r = 0; r < ranks; ++r) { /* rank r gives r + 1 numbers, and r * s of them go from r to s */
        pieces[r] = (sode_piece){all + at, sizeof(int32_t) * (size_t)(r + 1)};
        gathered[r] = (sode_piece){every + at, sizeof(int32_t) * (size_t)(r + 1)};
        sent[r] = (sode_piece){given + 8 * r, sizeof(int32_t) * (size_t)((me + r) % 3)};
        received[r] = (sode_piece){got + 8 * r, sizeof(int32_t) * (size_t)((me + r) % 3)};
        at += (size_t)(r + 1);
    }
    sode_piece const own = {mine, sizeof(int32_t) * (size_t)(me + 1)};
    sode_collective* c[6];
    OK(sode_gather_init(rt, own, me == root ? pieces : NULL, root, &c[0]));
    OK(sode_scatter_init(rt, me == root ? pieces : NULL, (sode_piece){share, own.bytes}, root, &c[1]));
    OK(sode_allgather_init(rt, own, gathered, &c[2]));
    OK(sode_alltoall_init(rt, sent, received, &c[3]));
    OK(sode_neighbour_alltoall_init(rt, 1, &right, &(sode_piece){mine, sizeof *mine}, 1, &left,
                                    &(sode_piece){&from_left, sizeof from_left}, &c[4]));
    OK(sode_broadcast_init(rt, &told, sizeof told, root, &c[5]));
    for (int step = 0; step < 3; ++step) {
        for (int i = 0; i <= me; ++i) mine[i] = 100 * me + i + step;
        for (int r = 0; r < ranks; ++r)
            for (int i = 0; i < 3; ++i) given[8 * r + i] = 1000 * me + 10 * r + i + step;
        told = me == root ? 77 + step : 0;
        for (int k = 0; k < 6; ++k) run(c[k]);
        for (int r = 0; r < ranks; ++r) {
            for (int i = 0; i <= r; ++i) {
                CHECK(((int32_t*)gathered[r].memory)[i] == 100 * r + i + step);
                if (me == root) CHECK(((int32_t*)pieces[r].memory)[i] == 100 * r + i + step);
            }
            for (int i = 0; i < (me + r) % 3; ++i) CHECK(got[8 * r + i] == 1000 * r + 10 * me + i + step);
        }
        for (int i = 0; i <= me; ++i) CHECK(share[i] == 100 * me + i + step);
        CHECK(from_left == 100 * left + step && told == 77 + step);
    }
    for (int k = 0; k < 6; ++k) sode_collective_destroy(c[k]);
}

static void planned_errors(void) {
    double x = 0;
    sode_collective* c = NULL;
    CHECK(sode_allreduce_init(rt, &x, &x, 1, SODE_DOUBLE, SODE_BXOR, &c) == SODE_ERROR_USAGE && c == NULL);
    CHECK(sode_allreduce_init(rt, NULL, &x, 1, SODE_DOUBLE, SODE_SUM, &c) == SODE_ERROR_USAGE);
    CHECK(strstr(sode_error_text(rt), "input is NULL") != NULL);
    CHECK(sode_broadcast_init(rt, &x, sizeof x, 99, &c) == SODE_ERROR_USAGE && c == NULL);
    CHECK(sode_gather_init(rt, (sode_piece){&x, 8}, NULL, sode_rank(rt), &c) == SODE_ERROR_USAGE);
    CHECK(sode_allreduce_init(rt, &x, &x, (size_t)1 << 61, SODE_DOUBLE, SODE_SUM, &c) == SODE_ERROR_USAGE); /* 2^64 bytes */
    CHECK(strstr(sode_error_text(rt), "there cannot be 2305843009213693952 elements of 8 bytes") != NULL);
    CHECK(sode_barrier_init(NULL, &c) == SODE_ERROR_USAGE && sode_barrier_init(rt, NULL) == SODE_ERROR_USAGE);
    CHECK(sode_collective_start(NULL) == SODE_ERROR_USAGE);
    sode_collective_destroy(NULL);
}

static void errors(void) {
    sode_grid* g = NULL;
    CHECK(sode_grid_create(rt, 9, (int64_t[]){1}, NULL, &g) == SODE_ERROR_USAGE && g == NULL);
    CHECK(strstr(sode_error_text(rt), "a grid cannot have 9 dimensions (a grid has 1 to 7 dimensions)\n") != NULL);
    CHECK(strncmp(sode_error_text(rt), "sode: error: ", 13) == 0);
    CHECK(sode_grid_create(rt, 1, (int64_t[]){-4}, NULL, &g) == SODE_ERROR_USAGE);
    CHECK(sode_grid_create(rt, 1, NULL, NULL, &g) == SODE_ERROR_USAGE);
    OK(sode_grid_create(rt, 1, (int64_t[]){40}, NULL, &g));
    sode_array* a = NULL;
    CHECK(sode_array_create(g, 12345, NULL, NULL, &a) == SODE_ERROR_USAGE && a == NULL);
    CHECK(strstr(sode_error_text(rt), "is not an element type") != NULL);
    CHECK(sode_array_create(g, SODE_BYTES((1 << 24) + 8), NULL, NULL, &a) == SODE_ERROR_USAGE && a == NULL);
    CHECK(sode_array_create(g, SODE_DOUBLE, (int64_t[]){-1, 0}, NULL, &a) == SODE_ERROR_USAGE);
    OK(sode_array_create(g, SODE_BYTES(24), (int64_t[]){1, 1}, "structs", &a));
    sode_exchange_options options;
    memset(&options, 0, sizeof options);
    options.channel = "pigeon";
    sode_exchange* e = NULL;
    CHECK(sode_exchange_create(1, &a, &options, &e) == SODE_ERROR_USAGE && e == NULL);
    CHECK(strstr(sode_error_text(rt), "pigeon") != NULL);
    OK(sode_exchange_create(1, &a, NULL, &e));
    CHECK(sode_exchange_wait(e) == SODE_ERROR_USAGE);
    CHECK(sode_exchange_reverse(e, SODE_SUM) == SODE_ERROR_USAGE);
    CHECK(strstr(sode_error_text(rt), "\"structs\" cannot take part in reverse()") != NULL);
    double x = 0;
    CHECK(sode_allreduce(rt, &x, 1, SODE_DOUBLE, SODE_BXOR) == SODE_ERROR_USAGE);
    CHECK(strstr(sode_error_text(rt), "bit_xor cannot combine elements of f64") != NULL);
    CHECK(sode_allreduce(rt, &x, 1, SODE_DOUBLE, (sode_op)77) == SODE_ERROR_USAGE);
    CHECK(sode_allreduce(rt, &x, 1, SODE_BYTES(8), SODE_SUM) == SODE_ERROR_USAGE);
    CHECK(sode_broadcast(rt, &x, sizeof x, 99) == SODE_ERROR_USAGE);
    CHECK(sode_allreduce(NULL, &x, 1, SODE_DOUBLE, SODE_SUM) == SODE_ERROR_USAGE);
    CHECK(sode_init(0, NULL, NULL) == SODE_ERROR_USAGE);
    sode_exchange_destroy(e);
    sode_array_destroy(a);
    sode_grid_destroy(g);
    sode_exchange_destroy(NULL);
    sode_array_destroy(NULL);
    sode_grid_destroy(NULL);
    sode_finalize(NULL);
}

/* Memory that all ranks reach, and elements of an array wherever they are. */
static void windows(void) {
    int const me = sode_rank(rt), all = sode_size(rt), right = (me + 1) % all;
    sode_window* w = NULL;
    OK(sode_window_create(rt, 256, "w", &w));
    int32_t const given[4] = {100 * me, 100 * me + 1, 100 * me + 2, 100 * me + 3};
    int32_t got[4] = {0};
    sode_pattern const each_other = {.offset = 16, .bytes = 4, .dims = 1, .counts = {4}, .strides = {8}};
    sode_pattern const together = {.bytes = 16};
    OK(sode_window_put(w, right, &each_other, given, &together));
    OK(sode_window_get(w, right, &each_other, got, &together));
    CHECK(memcmp(given, got, sizeof got) == 0);
    OK(sode_window_get_blocks(w, right, 2, (int64_t[]){24, 16}, 4, got));
    CHECK(got[0] == 100 * me + 1 && got[1] == 100 * me);
    OK(sode_window_put_blocks(w, right, 1, (int64_t[]){64}, 4, &given[3]));
    OK(sode_window_flush(w));
    int64_t before = -1;
    OK(sode_window_word(w, 0, 128, 8, SODE_WORD_ADD, 1, 0, &before));
    CHECK(before >= 0 && before < all);
    OK(sode_window_await(w, 0, 128, 8, SODE_WORD_AT_LEAST, all));
    OK(sode_window_barrier(w));
    void* mine = NULL;
    OK(sode_window_memory(w, me, &mine));
    CHECK(((int32_t*)mine)[16] == 100 * ((me + all - 1) % all) + 3);
    CHECK(sode_window_put(w, all, &together, given, &together) == SODE_ERROR_USAGE);
    CHECK(strstr(sode_error_text(rt), "of window \"w\" does not exist") != NULL);
    CHECK(sode_window_word(w, 0, 128, 3, SODE_WORD_ADD, 1, 0, NULL) == SODE_ERROR_USAGE);
    OK(sode_window_barrier(w));

    sode_grid* g = NULL;
    sode_array* a = NULL;
    sode_elements* e = NULL;
    OK(sode_grid_create(rt, 1, (int64_t[]){10 * all}, NULL, &g));
    OK(sode_array_create(g, SODE_INT32, (int64_t[]){1, 1}, "a", &a));
    OK(sode_elements_create(a, &e));
    if (me == 0) OK(sode_elements_put(e, 3, (int64_t[]){10 * all - 1, 0, 5}, (int32_t[]){9, 7, 8}));
    OK(sode_elements_flush(e));
    OK(sode_barrier(rt));
    OK(sode_elements_get(e, 3, (int64_t[]){5, 10 * all - 1, 0}, got));
    CHECK(got[0] == 8 && got[1] == 9 && got[2] == 7);
    CHECK(sode_elements_get(e, 1, (int64_t[]){-1}, got) == SODE_ERROR_USAGE);
    OK(sode_barrier(rt));
    sode_elements_destroy(e);
    sode_array_destroy(a);
    sode_grid_destroy(g);
    sode_window_destroy(w);
}

/* Handles may outlive the runtime: they say so, and can be destroyed. */
static void late_handles(sode_grid** g, sode_array** a, sode_exchange** e) {
    OK(sode_grid_create(rt, 1, (int64_t[]){40}, NULL, g));
    OK(sode_array_create(*g, SODE_FLOAT, (int64_t[]){1, 1}, "late", a));
    OK(sode_exchange_create(1, a, NULL, e));
}

int main(int argc, char** argv) {
    if (sode_init_windows(argc, argv, &rt) != SODE_OK) {
        fputs(sode_error_text(rt), stderr);
        sode_finalize(rt);
        return 1;
    }
    CHECK(strcmp(sode_error_text(rt), "") == 0);
    exchanges();
    parts();
    machines();
    reductions();
    planned_reductions();
    planned_moves();
    planned_errors();
    errors();
    windows();
    sode_grid* g = NULL;
    sode_array* a = NULL;
    sode_exchange* e = NULL;
    late_handles(&g, &a, &e);
    int const me = sode_rank(rt);
    sode_finalize(rt);
    rt = NULL;
    CHECK(sode_exchange_start(e) == SODE_ERROR_USAGE);
    sode_array* none = NULL;
    CHECK(sode_array_create(g, SODE_FLOAT, NULL, NULL, &none) == SODE_ERROR_USAGE);
    sode_exchange_destroy(e);
    sode_array_destroy(a);
    sode_grid_destroy(g);
    if (me == 0 && failures == 0) puts("right");
    return failures == 0 ? 0 : 1;
}
