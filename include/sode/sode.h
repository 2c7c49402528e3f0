/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_SODE_H
#define SODE_SODE_H
/* NOLINTBEGIN(modernize-*): this is C */
#include <stddef.h>
#include <stdint.h>

/* Sode for C, and for every language that can call C functions.
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
 * Every function returns SODE_OK or an error code. The code shows who can correct the error. sode_error_text() returns the problem
 * and the reason, and on the next line a suggestion. There is no global state, so one process may hold several ranks. Use each
 * runtime, and all objects created from the runtime, from one thread at a time. No C++ exception leaves a function.
 *
 * "Collective" functions must be called by all ranks, in the same order. */

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
    SODE_ERROR_USAGE = 1,       /* the program requested something impossible */
    SODE_ERROR_ENVIRONMENT = 2, /* the machine lacks something: memory, a file descriptor, a feature */
    SODE_ERROR_PEER = 3,        /* another rank terminated while this rank was waiting for that rank */
    SODE_ERROR_TIMEOUT = 4,     /* a wait took longer than SODE_TIMEOUT */
    SODE_ERROR_INTERNAL = 5     /* a defect of Sode itself */
};

typedef struct sode_runtime sode_runtime;       /* one rank's membership in a job */
typedef struct sode_nodes sode_nodes;           /* ranks with coordinates: XcalableMP's `nodes` */
typedef struct sode_grid sode_grid;             /* an index space that is distributed over the ranks */
typedef struct sode_array sode_array;           /* a distributed array */
typedef struct sode_exchange sode_exchange;     /* a halo exchange, planned once and run many times */
typedef struct sode_elements sode_elements;     /* accesses the elements of an array by their global indices */
typedef struct sode_window sode_window;         /* a block of memory on each rank, for one-sided access */
typedef struct sode_collective sode_collective; /* a barrier, a reduction, a broadcast, …, planned once and run many times */

/* Element type: a code for the kind of number, combined with the size in bytes. */
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
/* A value and its location for SODE_MAX and SODE_MIN: struct { double value; int64_t at; }; */
#define SODE_DOUBLE_AT SODE_TYPE_(0x21, 16)
#define SODE_FLOAT_AT SODE_TYPE_(0x20, 16)
#define SODE_INT64_AT SODE_TYPE_(0x25, 16)
/* Elements of `bytes` bytes (a struct), with fewer than 2^24 bytes. Elements of SODE_BYTES can be copied but not combined. A larger
 * type is an error. */
#define SODE_BYTES(bytes) ((bytes) < 0x1000000 ? SODE_TYPE_(0xff, bytes) : (sode_type)0)

/* Operations that combine values. Not every operation is defined for every type: complex numbers have no order, floating-point
 * numbers have no bitwise operations, and Booleans have no sum. */
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

/* Joins the job in which the process was started (alone, by `sode run`, by mpirun). The call is collective. `*rt` is set even after
 * an error, unless there is no memory for the runtime. After an error, use `*rt` only for sode_error_text() and sode_finalize(). */
SODE_C_API int sode_init(int argc, char** argv, sode_runtime** rt);
/* Like sode_init(), for a program with windows (sode_window_create()). If an MPI launcher started the program, sode_init_windows()
 * initialises MPI with MPI_THREAD_MULTIPLE, unless SODE_PROGRESS=calls is set. */
SODE_C_API int sode_init_windows(int argc, char** argv, sode_runtime** rt);
/* Leaves the job. The call is collective. Objects created from the runtime must also be destroyed, either before or after
 * sode_finalize(). If `rt` is NULL, nothing happens. */
SODE_C_API void sode_finalize(sode_runtime* rt);
/* Returns the most recent error of a function that was called with this runtime, or with an object created from the runtime. The
 * first line is "sode: error: problem (why)", and the second line is a suggestion. The text is "" if there was no error. The
 * pointer is valid until the next error. */
SODE_C_API char const* sode_error_text(sode_runtime const* rt);
SODE_C_API int sode_rank(sode_runtime const* rt);
SODE_C_API int sode_size(sode_runtime const* rt);
/* Creates a part of a job from some of its ranks, like MPI_Comm_create_group. Rank ranks[i] of `of` is rank i of the part. The call
 * is collective over the `count` ranks in `ranks`, which must include this rank. `*part` is set as in sode_init(). Call
 * sode_finalize() for the part before you call sode_finalize() for `of`. Returns SODE_ERROR_USAGE if a rank does not exist or is
 * listed twice, or if this rank is not listed. */
SODE_C_API int sode_part(sode_runtime* of, int count, int const* ranks, sode_runtime** part);
/* Waits until all ranks have called sode_barrier(). Returns SODE_ERROR_PEER if another rank dies or leaves the job. */
SODE_C_API int sode_barrier(sode_runtime* rt);
/* Returns the machine of each rank. Machines are numbered from 0 in the order of first appearance. Ranks on one machine share
 * memory. `*count` is set to the number of machines. `machines` is NULL or must have room for all ranks. */
SODE_C_API int sode_machines(sode_runtime const* rt, int* count, int* machines);

/* An index space of 1 to 7 dimensions, split into one block for each rank. The last dimension is contiguous in memory.
 * extents   elements in each dimension
 * cuts      blocks in each dimension; 0: the library chooses; NULL: the library chooses all of them
 * Every rank must pass the same arguments. Returns SODE_ERROR_USAGE for invalid arguments. */
SODE_C_API int sode_grid_create(sode_runtime* rt, int dims, int64_t const* extents, int const* cuts, sode_grid** grid);
SODE_C_API void sode_grid_destroy(sode_grid* grid);
/* Returns this rank's block in global indices: lower[d] <= index < upper[d]. If the rank has no elements, lower equals upper. */
SODE_C_API int sode_grid_owned(sode_grid const* grid, int64_t* lower, int64_t* upper);

/* A rank grid of 1 to 7 dimensions (XcalableMP `nodes`). The last coordinate varies fastest; node k is rank k. The grid may have
 * fewer nodes than the job has ranks. Ranks outside the grid own no elements of arrays on this grid.
 * extents   nodes in each dimension; 0: the remaining ranks, divided as evenly as possible
 * Every rank must pass the same arguments. Returns SODE_ERROR_USAGE if there are more nodes than ranks, or if an extent is 0 and
 * the other extents do not divide the number of ranks. */
SODE_C_API int sode_nodes_create(sode_runtime* rt, int dims, int const* extents, sode_nodes** nodes);
/* Like sode_nodes_create(), but the library chooses the rank of each node. If several machines have the same number of ranks, each
 * machine gets a block of the nodes. The shape of the block minimises the cost of communication between machines. If no block is
 * better than rank order, node k is rank k.
 * costs   relative cost of a face between machines, for each dimension; NULL: all costs are equal. A high cost keeps the faces
 *         across this dimension within machines.
 * Returns SODE_ERROR_USAGE for a negative cost, and for the errors of sode_nodes_create(). */
SODE_C_API int sode_nodes_create_mapped(sode_runtime* rt, int dims, int const* extents, double const* costs, sode_nodes** nodes);
/* Like sode_nodes_create(), but with any ranks of the job: node k in row-major order is rank ranks[k]. No extent may be 0. Returns
 * SODE_ERROR_USAGE if a rank occurs twice or does not exist. */
SODE_C_API int sode_nodes_of_ranks(sode_runtime* rt, int dims, int const* extents, int const* ranks, sode_nodes** nodes);
/* Creates a grid of `dims` dimensions from the nodes with lower[d] <= coordinate < upper[d]. Coordinates in the new grid begin at
 * 0. Dimensions that contain one node are dropped, beginning with the first, until `dims` dimensions remain. Returns
 * SODE_ERROR_USAGE if there are no nodes, or if more than `dims` dimensions have several nodes. */
SODE_C_API int sode_nodes_part(sode_nodes const* of, int const* lower, int const* upper, int dims, sode_nodes** part);
SODE_C_API void sode_nodes_destroy(sode_nodes* nodes);
/* Returns the number of dimensions, the number of nodes in each dimension, and this rank's coordinates. All coordinates are -1 if
 * the rank is not in the grid. Any pointer may be NULL. */
SODE_C_API int sode_nodes_shape(sode_nodes const* nodes, int* dims, int* extents, int* coordinates);
/* Returns the rank of each node, in row-major order of coordinates, and sets `*count` to the number of nodes. `ranks` is NULL or
 * must have room for all nodes. */
SODE_C_API int sode_nodes_ranks(sode_nodes const* nodes, int* count, int* ranks);

/* The distribution of one dimension of an index space. */
enum {
    SODE_WHOLE = 0,  /* not split (XcalableMP `*`) */
    SODE_BLOCK = 1,  /* blocks of `width` elements; 0: the smallest sufficient width (the last blocks may be shorter or empty) */
    SODE_CYCLIC = 2, /* chunks of `width` elements, distributed to the nodes in turn */
    SODE_GBLOCK = 3  /* widths[c] elements to coordinate c */
};
typedef struct {
    int kind;
    int64_t width;
    int64_t const* widths;
} sode_format;
/* An index space that is distributed over a rank grid (XcalableMP `template` and `distribute`). The k-th split dimension is
 * distributed over the k-th dimension of `nodes`. The number of split dimensions must equal the number of dimensions of `nodes`.
 * Returns SODE_ERROR_USAGE for invalid formats, for example if the widths do not match the extent. */
SODE_C_API int sode_grid_distribute(sode_nodes const* nodes, int dims, int64_t const* extents, sode_format const* formats,
                                    sode_grid** grid);
/* The index space of an array that is aligned with another index space (XcalableMP `align`). Index i in dimension d is aligned with
 * index i + offsets[d] in dimension targets[d] of `to`. If targets[d] is -1, dimension d is not distributed. If a dimension of `to`
 * is not a target, the array is replicated along this dimension. Returns SODE_ERROR_USAGE if an index is outside `to`, or if two
 * dimensions have the same target. */
SODE_C_API int sode_grid_align(sode_grid const* to, int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                               sode_grid** grid);
/* This rank's part of one dimension of an index space. */
typedef struct {
    int64_t extent;
    int node_dimension; /* the dimension of the rank grid over which this dimension is distributed; -1: none */
    int nodes;          /* number of nodes in that dimension */
    int coordinate;     /* coordinate of this rank; -1: the rank is not in the grid */
    int64_t chunk;      /* 0: blocks (see lower and upper); otherwise coordinate (i + phase) / chunk % nodes owns index i */
    int64_t phase;
    int64_t lower, upper; /* blocks: this rank owns lower <= index < upper; cyclic: all indices, or none */
} sode_dimension;
/* Returns this rank's part of dimension `dimension`, or SODE_ERROR_USAGE if the dimension does not exist. */
SODE_C_API int sode_grid_dimension(sode_grid const* grid, int dimension, sode_dimension* is);

/* Creates a distributed array in zeroed memory that the library allocates. Neighbours read this memory directly.
 * shadow    layers of halo: below and above in dimension 0, below and above in dimension 1, …; NULL: no halo; -1, -1: the whole
 *           dimension
 * name      shown in messages; NULL: no name
 * Returns SODE_ERROR_USAGE for invalid arguments, and SODE_ERROR_ENVIRONMENT if there is not enough memory. */
SODE_C_API int sode_array_create(sode_grid* grid, sode_type type, int64_t const* shadow, char const* name, sode_array** array);
/* Like sode_array_create(), but every rank allocates room[d] elements in dimension d, including the shadow. With equal allocations,
 * the strides can be compile-time constants. If room[d] is 0, the rank allocates as many elements as its block has. All ranks
 * return SODE_ERROR_USAGE if a block is larger than `room`. */
SODE_C_API int sode_array_create_with_room(sode_grid* grid, sode_type type, int64_t const* shadow, int64_t const* room,
                                           char const* name, sode_array** array);
/* Creates a distributed array in memory that the program provides. The library does not copy the memory. The memory must outlive
 * the array and its exchanges.
 * first     the first element of this rank's block *with* its shadow; the shadow exists on every side
 * strides   distance between consecutive elements in each dimension, in elements (not bytes)
 * The call is collective. All ranks return SODE_ERROR_USAGE for invalid arguments. */
SODE_C_API int sode_array_attach(sode_grid* grid, void* first, sode_type type, int64_t const* strides, int64_t const* shadow,
                                 char const* name, sode_array** array);
/* Destroys the array. Exchanges that were created from the array keep its memory alive. */
SODE_C_API void sode_array_destroy(sode_array* array);
/* Gives access to the elements of this rank's block. `*origin` is the address at which element (0, 0, …) would be. If `origin` is a
 * pointer to the element type, element (i, j) is origin[i * strides[0] + j * strides[1]]. Valid indices, lower[d] <= index <
 * upper[d], include the shadow. Along a cyclic dimension, this rank's elements are contiguous, in index order, and are numbered
 * from lower[d] = 0. Any pointer may be NULL. */
SODE_C_API int sode_array_view(sode_array* array, void** origin, int64_t* strides, int64_t* lower, int64_t* upper);

/* Returns, for each rank, the address by which the calling rank can directly access the first element that the other rank owns.
 * `first` must have room for all ranks of the job. The address is NULL for ranks that own no elements, and for ranks on other
 * machines. The program must order its accesses by collectives (a barrier, an exchange). The addresses are valid as long as the
 * array exists. The call is collective. Returns SODE_ERROR_USAGE if a dimension is cyclic. */
SODE_C_API int sode_array_peers(sode_array* array, void** first);

typedef struct {
    int corners;          /* also fetch from diagonal neighbours */
    int periodic[7];      /* the array is periodic in these dimensions */
    int credits;          /* acknowledge every read */
    char const* channel;  /* for every edge: "pull", "stage", "mpi", …; NULL: the model chooses */
    char const* name;     /* shown in messages; NULL: the arrays' names */
    int64_t const* width; /* layers to fetch: below and above in dimension 0, …; NULL: as many as the shadow has */
} sode_exchange_options;

/* Plans one exchange for the halos of `count` arrays. If `options` is NULL, all options are zero. The call is collective. Returns
 * SODE_ERROR_USAGE if a halo extends into more than 127 blocks, if the shapes differ between ranks, or if the channel is
 * unknown. */
SODE_C_API int sode_exchange_create(int count, sode_array* const* arrays, sode_exchange_options const* options,
                                    sode_exchange** exchange);
/* Destroys the exchange. If the exchange is in progress, this function first waits for its completion. */
SODE_C_API void sode_exchange_destroy(sode_exchange* exchange);
/* Starts the exchange. Until sode_exchange_wait() returns, the program may read but not write the outermost layers of its blocks,
 * and must neither read nor write halos. Returns SODE_ERROR_USAGE if the exchange is already started. */
SODE_C_API int sode_exchange_start(sode_exchange* exchange);
/* Makes progress without waiting. `*done` is 1 if the exchange is complete, otherwise 0. */
SODE_C_API int sode_exchange_test(sode_exchange* exchange, int* done);
/* Waits until the exchange is complete. Call sode_exchange_wait() once after each start. Returns SODE_ERROR_USAGE if there was no
 * start, and SODE_ERROR_PEER if a neighbour dies. */
SODE_C_API int sode_exchange_wait(sode_exchange* exchange);
/* Combines each halo element with the corresponding element on the owner. The call is collective. Returns SODE_ERROR_USAGE if `op`
 * cannot combine the elements. */
SODE_C_API int sode_exchange_reverse(sode_exchange* exchange, sode_op op);
/* Returns one line for each edge, with the chosen channel and the reason. The text is valid until the next call, or until the
 * exchange is destroyed. */
SODE_C_API int sode_exchange_explain(sode_exchange* exchange, char const** text);
/* The plans of the exchange, one by one, as "text" (also if `format` is NULL), "json" (an array if there are several), "goal" (for
 * LogGOPSim) or "dot" (one graph for each plan). The text is valid until the next call, or until the exchange is destroyed. Returns
 * SODE_ERROR_USAGE for an unknown format. */
SODE_C_API int sode_exchange_dump(sode_exchange* exchange, char const* format, char const** text);

/* Combines `count` values from all ranks, element by element, in place. The result is bitwise identical on all ranks. The call is
 * collective. Returns SODE_ERROR_USAGE if `op` cannot combine the values. */
SODE_C_API int sode_allreduce(sode_runtime* rt, void* values, size_t count, sode_type type, sode_op op);
/* Copies `bytes` bytes from rank `root` to all ranks. The call is collective. Returns SODE_ERROR_USAGE if rank `root` does not
 * exist. */
SODE_C_API int sode_broadcast(sode_runtime* rt, void* data, size_t bytes, int root);

/* The indices lower, lower + step, … below upper. */
typedef struct {
    int64_t lower, upper, step;
} sode_range;
/* Plans a copy between two arrays, or between parts of two arrays, with any distributions (XcalableMP `gmove`). Start, wait for and
 * destroy the copy like a collective. The call is collective over all ranks of the job.
 * to_part, from_part   a range in each dimension; NULL: the whole array. In each dimension, both ranges must have the same number
 *                      of elements.
 * Dimensions with one element do not count when the ranges are compared. Returns SODE_ERROR_USAGE if element sizes or shapes
 * differ, or if a part is not inside its array. */
SODE_C_API int sode_copy_init(sode_array* to, sode_range const* to_part, sode_array* from, sode_range const* from_part,
                              sode_collective** copy);

/* Collectives, planned once and run many times (the persistent collectives of MPI-4).
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
 * All `…_init` functions are collective: every rank plans the collectives in the same order, and starts the collectives in the same
 * order. Between start and wait, the program must not write the input or read the output. The memory must outlive the handle.
 * Values are combined in rank order, so the results are bitwise identical on all ranks and in all runs.
 *
 * All ranks return SODE_ERROR_USAGE for buffers that do not match (for example different sizes on different ranks), or for a root
 * that does not exist. A rank returns SODE_ERROR_USAGE before it communicates if a required pointer is NULL, or if the operation
 * cannot combine the type. After an error, `*collective` is NULL. Planning costs O(log ranks) messages to compare arguments, and
 * microseconds of computation. Start and wait do not allocate memory. See docs/collectives.md for details. */
SODE_C_API int sode_barrier_init(sode_runtime* rt, sode_collective** collective);
/* Copies `bytes` bytes from rank `root` to all ranks. */
SODE_C_API int sode_broadcast_init(sode_runtime* rt, void* data, size_t bytes, int root, sode_collective** collective);
/* Combines `count` values from each rank, element by element, into `output` on rank `root`. On other ranks, `output` is ignored.
 * For a reduction in place, `output` equals `input`. */
SODE_C_API int sode_reduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                int root, sode_collective** collective);
SODE_C_API int sode_allreduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                   sode_collective** collective);
/* Combines `count` values and distributes the result: each rank gets the next `own_count` values, in rank order. */
SODE_C_API int sode_reduce_scatter_init(sode_runtime* rt, void const* input, size_t count, void* output, size_t own_count,
                                        sode_type type, sode_op op, sode_collective** collective);
/* A scan combines the values from all ranks up to and including this rank. An exscan combines the values from all ranks before this
 * rank, and does not write `output` on rank 0. */
SODE_C_API int sode_scan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                              sode_collective** collective);
SODE_C_API int sode_exscan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                                sode_collective** collective);
/* A contiguous block of memory. If `bytes` is 0, `memory` may be NULL. */
typedef struct {
    void* memory;
    size_t bytes;
} sode_piece;
/* A list of pieces contains one piece for each rank, in rank order. Matching pieces must have equal sizes. For gather and scatter,
 * only rank `root` uses `all`. */
SODE_C_API int sode_gather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, int root, sode_collective** collective);
SODE_C_API int sode_scatter_init(sode_runtime* rt, sode_piece const* all, sode_piece mine, int root, sode_collective** collective);
SODE_C_API int sode_allgather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, sode_collective** collective);
/* given[r] on rank s is copied to got[s] on rank r. */
SODE_C_API int sode_alltoall_init(sode_runtime* rt, sode_piece const* given, sode_piece const* got, sode_collective** collective);
/* given[i] is sent to rank to[i], and got[i] is received from rank from[i]. If two ranks exchange several pieces, the pieces are
 * matched in list order. A rank may be listed several times, and may send to itself. */
SODE_C_API int sode_neighbour_alltoall_init(sode_runtime* rt, int targets, int const* to, sode_piece const* given, int sources,
                                            int const* from, sode_piece const* got, sode_collective** collective);

/* Destroys the collective. If the collective is in progress, this function first waits for its completion. */
SODE_C_API void sode_collective_destroy(sode_collective* collective);
/* Starts the collective. Returns SODE_ERROR_USAGE if the collective is already started. */
SODE_C_API int sode_collective_start(sode_collective* collective);
/* Makes progress without waiting. `*done` is 1 if the collective is complete, otherwise 0. */
SODE_C_API int sode_collective_test(sode_collective* collective, int* done);
/* Waits until the collective is complete. Call sode_collective_wait() once after each start. Returns SODE_ERROR_USAGE if there was
 * no start, and SODE_ERROR_PEER if another rank dies or leaves the job. */
SODE_C_API int sode_collective_wait(sode_collective* collective);
/* Returns the chosen algorithm and the reason as text. The text is valid until the next call, or until the collective is
 * destroyed. */
SODE_C_API int sode_collective_explain(sode_collective* collective, char const** text);
/* The plans of the collective, in the formats of sode_exchange_dump(). Returns SODE_ERROR_USAGE for an unknown format. */
SODE_C_API int sode_collective_dump(sode_collective* collective, char const* format, char const** text);

/* A window is a block of memory on each rank for one-sided access. Every rank can read and write the block of any other rank
 * without a call by the owner.
 *
 *     sode_window* w;
 *     sode_window_create(rt, 1000 * sizeof(double), "w", &w);
 *     sode_window_put(w, right, &(sode_pattern){.bytes = 80}, values, &(sode_pattern){.bytes = 80});
 *     sode_window_barrier(w);
 *
 * Ranks on the same machine load from and store to each other's memory. An access to a rank on another machine is a message. A
 * progress thread of the target rank serves the message within 10 ms, even while the rank computes, if the thread gets a CPU.
 * Because of the progress thread, MPI must allow several threads: use sode_init_windows(), or initialise MPI with
 * MPI_THREAD_MULTIPLE. With SODE_PROGRESS=calls, there is no progress thread. Without a progress thread, a rank serves requests
 * only in the sode_window functions and in sode_barrier().
 *
 * Accesses from one rank to another rank are performed in the order of the calls. A put is complete after the same rank has called
 * a flush, a barrier, or an operation on a window word. All functions return SODE_ERROR_USAGE for a rank or for bytes that do not
 * exist. The model is XcalableMP 1.4, chapter 5 (coarrays). */

/* Allocates `bytes` zeroed bytes on this rank. Ranks may pass different numbers of bytes. Messages show `name`, which may be NULL.
 * The call is collective. Returns SODE_ERROR_ENVIRONMENT if there is not enough memory. Returns SODE_ERROR_USAGE if the ranks are
 * on several machines and MPI allows only one thread. */
SODE_C_API int sode_window_create(sode_runtime* rt, size_t bytes, char const* name, sode_window** window);
/* Creates a window from the memory of an array: each rank's block with its shadow. The window keeps the array's memory alive. The
 * call is collective. */
SODE_C_API int sode_window_of_array(sode_array* array, sode_window** window);
/* Destroys this rank's part of the window. The call is not collective. Call sode_window_barrier() first, because a rank that
 * accesses a destroyed window gets an error. */
SODE_C_API void sode_window_destroy(sode_window* window);
/* Returns the address by which this rank can directly access the block of `rank`, or NULL if `rank` is on another machine. */
SODE_C_API int sode_window_memory(sode_window* window, int rank, void** memory);
/* A selection of bytes: blocks of `bytes` bytes. The first block starts at `offset`. Dimension d repeats the later dimensions and
 * the block counts[d] times, strides[d] bytes apart. */
typedef struct {
    int64_t offset, bytes;
    int dims; /* 0 to 7; 0: one block */
    int64_t counts[7], strides[7];
} sode_pattern;
/* Put copies bytes from `data` to the window of `rank`. Get copies bytes from the window of `rank` to `data`. The patterns `from`
 * and `to` select the bytes. When put returns, `data` may be reused. When get returns, the bytes have arrived. */
SODE_C_API int sode_window_put(sode_window* window, int rank, sode_pattern const* to, void const* data, sode_pattern const* from);
SODE_C_API int sode_window_get(sode_window* window, int rank, sode_pattern const* from, void* data, sode_pattern const* to);
/* Like put and get, for `count` blocks of `bytes` bytes at arbitrary offsets in the window. In `data`, the blocks are
 * contiguous. */
SODE_C_API int sode_window_put_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes,
                                      void const* data);
SODE_C_API int sode_window_get_blocks(sode_window* window, int rank, size_t count, int64_t const* offsets, size_t bytes,
                                      void* data);
/* Atomic operations on a window word. */
typedef enum {
    SODE_WORD_LOAD = 0,
    SODE_WORD_STORE = 1,
    SODE_WORD_ADD = 2,
    SODE_WORD_AND = 3,
    SODE_WORD_OR = 4,
    SODE_WORD_XOR = 5,
    SODE_WORD_COMPARE_EXCHANGE = 6 /* if the word equals `expected`, the word becomes `operand` */
} sode_word_op;
/* Applies an atomic operation to the window word of `bytes` bytes (4 or 8) at `offset`, which must be a multiple of `bytes`. If
 * `before` is not NULL, `*before` is set to the value before the operation. */
SODE_C_API int sode_window_word(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_op op, int64_t operand,
                                int64_t expected, int64_t* before);
typedef enum {
    SODE_WORD_EQUAL = 0,
    SODE_WORD_NOT_EQUAL = 1,
    SODE_WORD_AT_LEAST = 2 /* the word is at least the value (signed comparison) */
} sode_word_relation;
/* Waits until the comparison of a window word with `value` is true. */
SODE_C_API int sode_window_await(sode_window* window, int rank, size_t offset, size_t bytes, sode_word_relation relation,
                                 int64_t value);
/* Waits until all puts by this rank are complete. During the wait, the function serves requests from other ranks. */
SODE_C_API int sode_window_flush(sode_window* window);
/* Completes all puts by this rank, and then waits until all ranks have called sode_window_barrier(). The call is collective. */
SODE_C_API int sode_window_barrier(sode_window* window);

/* Gives access to any element of an array by global indices, on any rank and machine, with any distribution. Within a machine, an
 * access is a load or a store. An access to other machines needs one request to each owner. Halos are neither read nor written. If
 * an element has several copies, the nearest copy is read, and all copies are written. The call is collective. The errors are those
 * of sode_window_create(). */
SODE_C_API int sode_elements_create(sode_array* array, sode_elements** elements);
SODE_C_API void sode_elements_destroy(sode_elements* elements);
/* Get or put `count` elements. For each element, `indices` has one index for each dimension of the array. A put is complete after a
 * flush. Returns SODE_ERROR_USAGE if an element does not exist. */
SODE_C_API int sode_elements_get(sode_elements* elements, size_t count, int64_t const* indices, void* values);
SODE_C_API int sode_elements_put(sode_elements* elements, size_t count, int64_t const* indices, void const* values);
SODE_C_API int sode_elements_flush(sode_elements* elements);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*) */
#endif
