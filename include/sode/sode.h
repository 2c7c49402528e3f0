/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_SODE_H
#define SODE_SODE_H
/* NOLINTBEGIN(modernize-*): this is C */
#include <stddef.h>
#include <stdint.h>

/* Sode for C, and for every language that can call C.
 *
 *     sode_runtime* rt;
 *     sode_grid*    g;
 *     sode_array*   u;
 *     sode_exchange* halo;
 *     if (sode_init(argc, argv, &rt) != SODE_OK) { fputs(sode_error_text(rt), stderr); return 1; }
 *     sode_grid_create(rt, 2, (int64_t[]){ny, nx}, NULL, &g);
 *     sode_array_create(g, SODE_DOUBLE, (int64_t[]){1, 1, 1, 1}, "u", &u);
 *     sode_exchange_create(1, &u, NULL, &halo);
 *     for (int step = 0; step < steps; ++step) {
 *         sode_exchange_start(halo);
 *         ...
 *         sode_exchange_wait(halo);
 *     }
 *     sode_finalize(rt);
 *
 * Every function returns SODE_OK or a code that says who can mend what went wrong; sode_error_text() says what it was: the problem,
 * the reason, and on the next line what to do. Nothing is kept for the whole process: several ranks may live in one. What belongs
 * to a runtime is used by one thread at a time. No C++ exception leaves a function.
 *
 * "Collective" functions are called by all ranks, in the same order. */

#if defined(__cplusplus)
extern "C" {
#endif

#if defined(__GNUC__)
#define SODE_C_API __attribute__((visibility("default")))
#else
#define SODE_C_API
#endif

enum {
    SODE_OK = 0,
    SODE_ERROR_USAGE = 1,       /* the program asked for something that cannot be */
    SODE_ERROR_ENVIRONMENT = 2, /* the machine lacks something: memory, a file descriptor, a feature */
    SODE_ERROR_PEER = 3,        /* another rank died or left while somebody waited for it */
    SODE_ERROR_TIMEOUT = 4,     /* a wait outlasted SODE_TIMEOUT */
    SODE_ERROR_INTERNAL = 5     /* a defect of Sode itself */
};

typedef struct sode_runtime sode_runtime;       /* one rank's membership in a job */
typedef struct sode_nodes sode_nodes;           /* ranks by coordinates: XcalableMP's `nodes` */
typedef struct sode_grid sode_grid;             /* an index space, and how the ranks share it */
typedef struct sode_array sode_array;           /* a distributed array */
typedef struct sode_exchange sode_exchange;     /* a halo exchange, planned once and run many times */
typedef struct sode_elements sode_elements;     /* the elements of an array by their global indices */
typedef struct sode_window sode_window;         /* memory of each rank that all ranks read and write by themselves */
typedef struct sode_collective sode_collective; /* a barrier, a reduction, a broadcast, …, planned once and run many times */

/* What elements are: the code of a number, and the bytes of one. */
typedef uint32_t sode_type;
#define SODE_TYPE_(code, bytes) ((sode_type)((uint32_t)(code) | (uint32_t)(bytes) << 8))
#define SODE_FLOAT SODE_TYPE_(0, 4)
#define SODE_DOUBLE SODE_TYPE_(1, 8)
#define SODE_INT8 SODE_TYPE_(2, 1)
#define SODE_INT16 SODE_TYPE_(3, 2)
#define SODE_INT32 SODE_TYPE_(4, 4)
#define SODE_INT64 SODE_TYPE_(5, 8)
#define SODE_UINT8 SODE_TYPE_(6, 1)
#define SODE_UINT16 SODE_TYPE_(7, 2)
#define SODE_UINT32 SODE_TYPE_(8, 4)
#define SODE_UINT64 SODE_TYPE_(9, 8)
#define SODE_FLOAT16 SODE_TYPE_(10, 2)
#define SODE_BFLOAT16 SODE_TYPE_(11, 2)
#define SODE_BOOL SODE_TYPE_(12, 1)
#define SODE_FLOAT_COMPLEX SODE_TYPE_(13, 8)
#define SODE_DOUBLE_COMPLEX SODE_TYPE_(14, 16)
#define SODE_LONG_DOUBLE SODE_TYPE_(15, sizeof(long double))
/* A value and an int64_t behind it that says where it is: struct { double value; int64_t at; }; for SODE_MAX and SODE_MIN. */
#define SODE_DOUBLE_AT SODE_TYPE_(0x21, 16)
#define SODE_FLOAT_AT SODE_TYPE_(0x20, 16)
#define SODE_INT64_AT SODE_TYPE_(0x25, 16)
/* Any `bytes` bytes (a struct), which are moved but not combined. */
#define SODE_BYTES(bytes) SODE_TYPE_(0xff, bytes)

/* How values are combined. Complex numbers have no order, floating-point numbers no bits, truth values no sum. */
typedef enum {
    SODE_SUM = 0,
    SODE_PRODUCT = 1,
    SODE_MAX = 2,
    SODE_MIN = 3,
    SODE_BAND = 4,
    SODE_BOR = 5,
    SODE_BXOR = 6,
    SODE_LAND = 7,
    SODE_LOR = 8,
    SODE_LXOR = 9
} sode_op;

/* Joins the job that the process was started in (alone, by `sode run`, by mpirun). Collective. `*rt` is set in any case, unless
 * there is no memory for it: after an error it serves sode_error_text() and sode_finalize() only. */
SODE_C_API int sode_init(int argc, char** argv, sode_runtime** rt);
/* The same for a program with windows (sode_window_create()): where an MPI's launcher started it, MPI is initialised for several
 * threads, unless SODE_PROGRESS=calls. */
SODE_C_API int sode_init_windows(int argc, char** argv, sode_runtime** rt);
/* Leaves the job. Collective. What was made from the runtime must be destroyed, before or after. NULL is nothing. */
SODE_C_API void sode_finalize(sode_runtime* rt);
/* The last error of a function that was given this runtime, or something made from it: "sode: error: problem (why)", then the
 * suggestion on a line of its own. "" if there was none. Valid until the next error. */
SODE_C_API char const* sode_error_text(sode_runtime const* rt);
SODE_C_API int sode_rank(sode_runtime const* rt);
SODE_C_API int sode_size(sode_runtime const* rt);
/* Some ranks of a job as a job of their own, in which ranks[i] of `of` is rank i (a communicator, in MPI's words). Collective among
 * them: all `count` of them call it, this one among them, and nobody else. `*part` is as after sode_init(), and is left by
 * sode_finalize(), before `of` is. Errors: usage, if a rank does not exist, is named twice, or this one is not named; peer,
 * timeout. */
SODE_C_API int sode_part(sode_runtime* of, int count, int const* ranks, sode_runtime** part);
/* Waits for all ranks. Errors: peer, timeout. */
SODE_C_API int sode_barrier(sode_runtime* rt);
/* The machine of each rank, as numbers from 0 on by first appearance: ranks of one machine share memory. `machines` has room for
 * all ranks; NULL: only how many machines there are is wanted. */
SODE_C_API int sode_machines(sode_runtime const* rt, int* count, int* machines);

/* An index space of 1 to 7 dimensions, cut into a block for each rank; the last dimension is contiguous in memory.
 * extents   elements in each dimension
 * cuts      blocks in each dimension, 0: up to the library; NULL: all of them
 * Every rank says the same. Errors: usage. */
SODE_C_API int sode_grid_create(sode_runtime* rt, int dims, int64_t const* extents, int const* cuts, sode_grid** grid);
SODE_C_API void sode_grid_destroy(sode_grid* grid);
/* This rank's block: lower[d] <= index < upper[d], in global indices. Both empty if it has none. */
SODE_C_API int sode_grid_owned(sode_grid const* grid, int64_t* lower, int64_t* upper);

/* Ranks by coordinates in 1 to 7 dimensions, the last one varying fastest; node k of them is rank k (XcalableMP `nodes`). They may
 * be fewer than the job's ranks: the others own nothing of what is distributed onto them.
 * extents   nodes in each dimension; 0: what the numbers leave of the ranks, factorised evenly
 * Every rank says the same. Errors: usage, if they are more than the ranks, or do not divide them where there is a 0. */
SODE_C_API int sode_nodes_create(sode_runtime* rt, int dims, int const* extents, sode_nodes** nodes);
/* The same, where the library decides which rank a node is. If the job has several machines, and all have as many ranks, each gets
 * a block of the nodes, of the shape that costs least between machines; what is not better than the order of ranks is left in it.
 * costs   what a face across each dimension costs between machines, measured against the others; NULL: all the same. A dimension
 *         that costs much stays within machines.
 * Errors: usage, also for a cost below 0. */
SODE_C_API int sode_nodes_create_mapped(sode_runtime* rt, int dims, int const* extents, double const* costs, sode_nodes** nodes);
/* The same with any ranks of the job: node k in row-major order is rank ranks[k]. All extents are numbers. Errors: usage, if a rank
 * occurs twice or does not exist. */
SODE_C_API int sode_nodes_of_ranks(sode_runtime* rt, int dims, int const* extents, int const* ranks, sode_nodes** nodes);
/* Those with lower[d] <= coordinate < upper[d], numbered from 0 again, in `dims` dimensions: of the dimensions with one node only,
 * the first ones are left out. Errors: usage, if there are none, or more dimensions than `dims` have several. */
SODE_C_API int sode_nodes_part(sode_nodes const* of, int const* lower, int const* upper, int dims, sode_nodes** part);
SODE_C_API void sode_nodes_destroy(sode_nodes* nodes);
/* How many dimensions there are, how many nodes in each, and this rank's coordinates, all -1 if it is none of them. Any of the
 * pointers may be NULL. */
SODE_C_API int sode_nodes_shape(sode_nodes const* nodes, int* dims, int* extents, int* coordinates);
/* The rank of each node, in row-major order of coordinates. `ranks` has room for all of them; NULL: only `*count` is wanted. */
SODE_C_API int sode_nodes_ranks(sode_nodes const* nodes, int* count, int* ranks);

/* How one dimension of an index space is cut. */
enum {
    SODE_WHOLE = 0,  /* not at all (XcalableMP `*`) */
    SODE_BLOCK = 1,  /* blocks of `width` elements; 0: of as many as are needed, the last ones may be shorter or empty */
    SODE_CYCLIC = 2, /* dealt out `width` elements at a time */
    SODE_GBLOCK = 3  /* widths[c] elements to coordinate c */
};
typedef struct {
    int kind;
    int64_t width;
    int64_t const* widths;
} sode_format;
/* An index space over some nodes (XcalableMP `template` and `distribute`). The k-th dimension that is cut goes over the k-th
 * dimension of `nodes`, which has as many. Errors: usage, also for widths that do not fit. */
SODE_C_API int sode_grid_distribute(sode_nodes const* nodes, int dims, int64_t const* extents, sode_format const* formats,
                                    sode_grid** grid);
/* The index space of an array that lies along another one (XcalableMP `align`): index i of dimension d lies where index
 * i + offsets[d] of dimension targets[d] of `to` lies; targets[d] -1: every rank has all of that dimension. Along a dimension of
 * `to` that none follows, every node has a copy. Errors: usage, if an index lies outside of `to`, or two follow one. */
SODE_C_API int sode_grid_align(sode_grid const* to, int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                               sode_grid** grid);
/* One dimension of an index space, as this rank has it. */
typedef struct {
    int64_t extent;
    int node_dimension; /* the dimension of the nodes that it is spread over; -1: of none */
    int nodes;          /* how many there are along it */
    int coordinate;     /* this rank's; -1: it is none of the nodes */
    int64_t chunk;      /* 0: in blocks: see lower and upper; else index i belongs to coordinate (i + phase) / chunk % nodes */
    int64_t phase;
    int64_t lower, upper; /* of blocks: lower <= index < upper is this rank's; cyclic: all indices, or none */
} sode_dimension;
/* Errors: usage, if there is no such dimension. */
SODE_C_API int sode_grid_dimension(sode_grid const* grid, int dimension, sode_dimension* is);

/* A distributed array whose memory is the library's, zeroed; neighbours read it directly.
 * shadow    layers of halo: below and above in dimension 0, below and above in dimension 1, …; NULL: none; -1, -1: everything
 * name      for messages; NULL: none
 * Errors: usage, environment. */
SODE_C_API int sode_array_create(sode_grid* grid, sode_type type, int64_t const* shadow, char const* name, sode_array** array);
/* The same with the strides of a block of room[d] elements in each dimension, its shadow included, whatever this rank's block has:
 * strides are then numbers that a compiler may know. room[d] 0: as many as the block has. Errors: usage, on all ranks alike, if a
 * block is larger. */
SODE_C_API int sode_array_create_with_room(sode_grid* grid, sode_type type, int64_t const* shadow, int64_t const* room,
                                           char const* name, sode_array** array);
/* The same around memory that the program has. Nothing is copied. It must outlive the array and its exchanges.
 * first     the first element of this rank's block *with* its shadow, which is there on every side
 * strides   elements (not bytes) from one to the next in each dimension
 * Collective. Errors: usage, on all ranks alike. */
SODE_C_API int sode_array_attach(sode_grid* grid, void* first, sode_type type, int64_t const* strides, int64_t const* shadow,
                                 char const* name, sode_array** array);
/* Exchanges that were made of it keep its memory. */
SODE_C_API void sode_array_destroy(sode_array* array);
/* Where the elements lie: `*origin` is where element (0, 0, …) would be, so that the element with global indices i, j is
 * origin[i * strides[0] + j * strides[1]], of a type as large as the elements; for indices from lower[d] to upper[d] - 1: the block
 * and its shadow. Along a cyclic dimension this rank's elements lie one behind the other, in the order of their indices, and are
 * counted from lower[d] = 0 instead. Any of the pointers may be NULL. */
SODE_C_API int sode_array_view(sode_array* array, void** origin, int64_t* strides, int64_t* lower, int64_t* upper);

/* Where the first element that each rank owns can be loaded and stored by this one: `first` has room for every rank of the job.
 * NULL for ranks that own nothing, and for those of other machines. Stores are the program's own affair: nothing orders them but
 * what ranks do together (a barrier, an exchange). Collective. Errors: usage, if a dimension is cyclic. Valid as long as the array.
 */
SODE_C_API int sode_array_peers(sode_array* array, void** first);

typedef struct {
    int corners;          /* also from diagonal neighbours */
    int periodic[7];      /* the array wraps around in these dimensions */
    int credits;          /* acknowledge every read */
    char const* channel;  /* force every edge: "pull", "stage", "mpi", …; NULL: choose by the model */
    char const* name;     /* for messages; NULL: the arrays' names */
    int64_t const* width; /* layers to fetch: below and above in dimension 0, …; NULL: as many as the shadow has */
} sode_exchange_options;

/* Plans the exchange of the halos of `count` arrays, all in one. `options` NULL: all zero. Collective. Errors: usage, if a halo is
 * wider than a neighbour's block, the shapes differ between ranks, or the channel is unknown; environment. */
SODE_C_API int sode_exchange_create(int count, sode_array* const* arrays, sode_exchange_options const* options,
                                    sode_exchange** exchange);
/* Waits first, if it was started. */
SODE_C_API void sode_exchange_destroy(sode_exchange* exchange);
/* Begins. Until sode_exchange_wait() the outermost layers of blocks may be read but not written, and halos neither. Errors: usage,
 * if started twice. */
SODE_C_API int sode_exchange_start(sode_exchange* exchange);
/* Goes on without waiting; `*done` is 1 if the exchange is over. */
SODE_C_API int sode_exchange_test(sode_exchange* exchange, int* done);
/* Once after each start. Errors: peer, timeout; usage, if there was no start. */
SODE_C_API int sode_exchange_wait(sode_exchange* exchange);
/* What halos hold is combined with the elements that they are copies of, at their owners. Collective. Errors: usage, for elements
 * that `op` cannot combine; peer, timeout. */
SODE_C_API int sode_exchange_reverse(sode_exchange* exchange, sode_op op);
/* One line for each edge: what was chosen, and why. Valid until the next call, or the exchange is destroyed. */
SODE_C_API int sode_exchange_explain(sode_exchange* exchange, char const** text);

/* Combines `count` values of all ranks, one by one, in place: the same bits on every rank. Collective. Errors: usage, for values
 * that `op` cannot combine; peer, timeout. */
SODE_C_API int sode_allreduce(sode_runtime* rt, void* values, size_t count, sode_type type, sode_op op);
/* `bytes` bytes become what they are on rank `root`. Collective. Errors: usage, peer, timeout. */
SODE_C_API int sode_broadcast(sode_runtime* rt, void* data, size_t bytes, int root);

/* The indices lower, lower + step, … below upper. */
typedef struct {
    int64_t lower, upper, step;
} sode_range;
/* Plans a copy between two arrays, or parts of them, however each is distributed (XcalableMP `gmove`): to[r] = from[s], element by
 * element. It is started, waited for and destroyed as a collective. Collective over all ranks of the job.
 * to_part, from_part   a range for each dimension; NULL: everything. Both have equally many elements in each dimension, and
 *                      dimensions of one element do not count.
 * Errors: usage, for elements of other sizes, shapes that do not fit, parts outside of their arrays; environment. */
SODE_C_API int sode_copy_init(sode_array* to, sode_range const* to_part, sode_array* from, sode_range const* from_part,
                              sode_collective** copy);

/* Collectives that are planned once and run many times; what MPI-4 calls persistent collectives.
 *
 *     sode_collective* sums;
 *     sode_allreduce_init(rt, mine, all, n, SODE_DOUBLE, SODE_SUM, &sums);
 *     for (int step = 0; step < steps; ++step) {
 *         fill(mine);
 *         sode_collective_start(sums);
 *         ...
 *         sode_collective_wait(sums);
 *     }
 *     sode_collective_destroy(sums);
 *
 * All `…_init` are collective: every rank calls them in the same order, and starts what they give in the same order. From start to
 * wait nothing that is given may be written, and nothing that is got may be looked at. The memory must outlive the handle. Values
 * are combined in the order of the ranks: all ranks get the same bits, every time. Errors, on all ranks alike: usage, for memory
 * that does not fit together (say, other amounts on other ranks), a root that does not exist; environment; peer, timeout. On one
 * rank alone, before it meets the others: usage, for NULL where memory is needed, and for a type and an operation that do not go
 * together. `*collective` is NULL then. Cost: O(log ranks) messages to agree and microseconds to plan; then no allocation. Source:
 * P3 (persistent collectives). */
SODE_C_API int sode_barrier_init(sode_runtime* rt, sode_collective** collective);
/* `bytes` bytes become what they are on rank `root`. */
SODE_C_API int sode_broadcast_init(sode_runtime* rt, void* data, size_t bytes, int root, sode_collective** collective);
/* `count` values of each rank, combined one by one. `output` is that of rank `root`, and not looked at elsewhere. In place:
 * `output` is `input`, as in the next ones. */
SODE_C_API int sode_reduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                int root, sode_collective** collective);
SODE_C_API int sode_allreduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                   sode_collective** collective);
/* Each rank gets the next `own_count` of the `count` combined values, behind what the ranks before it get. */
SODE_C_API int sode_reduce_scatter_init(sode_runtime* rt, void const* input, size_t count, void* output, size_t own_count,
                                        sode_type type, sode_op op, sode_collective** collective);
/* What the ranks up to this one have; exscan: those before it (`output` of rank 0 is not touched). */
SODE_C_API int sode_scan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                              sode_collective** collective);
SODE_C_API int sode_exscan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                sode_collective** collective);
/* Some bytes; none: `memory` may be NULL. */
typedef struct {
    void* memory;
    size_t bytes;
} sode_piece;
/* Lists of pieces have one for each rank, in the order of the ranks; each as long as what belongs there. `all` of gather and
 * scatter is that of rank `root`, and not looked at elsewhere. */
SODE_C_API int sode_gather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, int root, sode_collective** collective);
SODE_C_API int sode_scatter_init(sode_runtime* rt, sode_piece const* all, sode_piece mine, int root, sode_collective** collective);
SODE_C_API int sode_allgather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, sode_collective** collective);
/* given[r] goes to rank r, and becomes the piece of its `got` that has this rank's number. */
SODE_C_API int sode_alltoall_init(sode_runtime* rt, sode_piece const* given, sode_piece const* got, sode_collective** collective);
/* given[i] goes to rank to[i], got[i] comes from rank from[i]; those of two ranks belong together in the order of their lists. A
 * rank may be there several times, and may be oneself. */
SODE_C_API int sode_neighbour_alltoall_init(sode_runtime* rt, int targets, int const* to, sode_piece const* given, int sources,
                                            int const* from, sode_piece const* got, sode_collective** collective);

/* Waits first, if it was started. */
SODE_C_API void sode_collective_destroy(sode_collective* collective);
/* Begins. Errors: usage, if started twice. */
SODE_C_API int sode_collective_start(sode_collective* collective);
/* Goes on without waiting; `*done` is 1 if it is over. */
SODE_C_API int sode_collective_test(sode_collective* collective, int* done);
/* Once after each start. Errors: peer, timeout; usage, if there was no start. */
SODE_C_API int sode_collective_wait(sode_collective* collective);
/* Which algorithm was chosen, and why. Valid until the next call, or the collective is destroyed. */
SODE_C_API int sode_collective_explain(sode_collective* collective, char const** text);

/* Windows: one-sided access. A window is a block of memory of each rank that all ranks read and write by themselves.
 *
 *     sode_window* w;
 *     sode_window_create(rt, 1000 * sizeof(double), "w", &w);
 *     sode_window_put(w, right, &(sode_pattern){.bytes = 80}, values, &(sode_pattern){.bytes = 80});
 *     sode_window_barrier(w);
 *
 * Ranks of one machine load and store each other's memory. Those of other machines are asked by messages, and a thread of theirs
 * answers, whatever they compute, within 10 ms if it gets a processor. So MPI must allow several threads: use sode_init_windows(),
 * or initialise MPI for MPI_THREAD_MULTIPLE. With SODE_PROGRESS=calls there is no such thread, and a rank answers in the functions
 * below, in sode_barrier(), and in no others.
 *
 * Accesses of one rank to another take place in the order in which they are made. What was put is there after a flush, a barrier,
 * or an operation on a word, of the rank that put it. Errors of all of them: usage, for a rank or bytes that do not exist; peer;
 * timeout. Source: XcalableMP 1.4, chapter 5 (coarrays). */

/* `bytes` of each rank, zeroed; not all ranks need have as many. `name`: for messages; NULL: none. Collective. Errors: environment;
 * usage, between machines, if MPI allows one thread only. */
SODE_C_API int sode_window_create(sode_runtime* rt, size_t bytes, char const* name, sode_window** window);
/* The memory of an array as a window, which keeps it: each rank's block with its shadow. Collective. */
SODE_C_API int sode_window_of_array(sode_array* array, sode_window** window);
/* A rank that still accesses this one's memory gets an error: let all meet before. */
SODE_C_API void sode_window_destroy(sode_window* window);
/* Where this rank can load and store the block of `rank`; NULL: it is on another machine. */
SODE_C_API int sode_window_memory(sode_window* window, int rank, void** memory);
/* Which bytes are meant: blocks of `bytes` bytes, the first one at `offset`. Dimension d repeats what is behind it counts[d] times,
 * strides[d] bytes apart. */
typedef struct {
    int64_t offset, bytes;
    int dims; /* 0 to 7; 0: one block */
    int64_t counts[7], strides[7];
} sode_pattern;
/* Bytes at `data` become bytes of the window of `rank`, in the order of both patterns; and the other way. After a put `data` may be
 * written again; after a get the bytes are here. */
SODE_C_API int sode_window_put(sode_window* window, int rank, sode_pattern const* to, void const* data, sode_pattern const* from);
SODE_C_API int sode_window_get(sode_window* window, int rank, sode_pattern const* from, void* data, sode_pattern const* to);
/* The same with `count` blocks of `bytes` bytes anywhere in the window; `data` has them one behind the other. */
SODE_C_API int sode_window_put_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes,
                                      void const* data);
SODE_C_API int sode_window_get_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes,
                                      void* data);
/* What is done to a word in one piece. */
typedef enum {
    SODE_WORD_LOAD = 0,
    SODE_WORD_STORE = 1,
    SODE_WORD_ADD = 2,
    SODE_WORD_AND = 3,
    SODE_WORD_OR = 4,
    SODE_WORD_XOR = 5,
    SODE_WORD_COMPARE_EXCHANGE = 6 /* `operand` takes the place of `expected`, if that is there */
} sode_word_op;
/* On the word of `bytes` bytes (4 or 8) at `offset`, a multiple of `bytes`. `*before`, if not NULL: what it was. */
SODE_C_API int sode_window_word(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_op op, int64_t operand,
                                int64_t expected, int64_t* before);
typedef enum {
    SODE_WORD_EQUAL = 0,
    SODE_WORD_NOT_EQUAL = 1,
    SODE_WORD_AT_LEAST = 2 /* compared as numbers with a sign */
} sode_word_relation;
/* Waits until a word is so. */
SODE_C_API int sode_window_await(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_relation relation,
                                 int64_t value);
/* Waits until all that this rank has put is there, and answers what others ask. */
SODE_C_API int sode_window_flush(sode_window* window);
/* The same, and waits for all ranks. Collective. */
SODE_C_API int sode_window_barrier(sode_window* window);

/* The elements of an array by their global indices, on whichever rank and machine they are, for every distribution. Inside a
 * machine they are loaded and stored; on another machine the owner is asked, as with windows, once for each list. Halos are neither
 * read nor written; of copies the nearest is read, and all are written. Collective. Errors: as of sode_window_create(). */
SODE_C_API int sode_elements_create(sode_array* array, sode_elements** elements);
SODE_C_API void sode_elements_destroy(sode_elements* elements);
/* `count` elements; `indices` has as many for each as the array has dimensions. What was put is there after a flush. Errors: usage,
 * for an element that does not exist; peer; timeout. */
SODE_C_API int sode_elements_get(sode_elements* elements, size_t count, int64_t const* indices, void* values);
SODE_C_API int sode_elements_put(sode_elements* elements, size_t count, int64_t const* indices, void const* values);
SODE_C_API int sode_elements_flush(sode_elements* elements);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*) */
#endif
