/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_DIRECTIVES_H
#define SODE_DIRECTIVES_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/sode.h>
#if defined(__cplusplus)
#include <initializer_list>
#endif

/* `sode cc` also defines this macro for the program. */
#if !defined(_XCALABLEMP)
#define _XCALABLEMP 201811 /* NOLINT(bugprone-reserved-identifier): the specification names it */
#endif

/* The functions that `sode cc` calls to execute directives. Programs do not call these functions: XcalableMP programs use <xmp.h>,
 * and other languages use <sode/sode.h>.
 *
 * `at` is the "file:line" of the directive, shown in messages. An error ends the program and prints sode_error_text(), because
 * directives cannot return errors. Upper bounds are exclusive, and dimensions are in C order: the last dimension varies fastest.
 * Source: XcalableMP specification 1.4; Ikei, Sato: an XcalableMP execution model for clusters of many-core processors (in
 * Japanese; docs/references.md). */

#if defined(__cplusplus)
extern "C" {
#endif

/* A list of values. The list exists until the end of the statement. */
#if defined(__cplusplus)
#define SODE_XMP_LIST(type, ...) (::std::initializer_list<type>{__VA_ARGS__}.begin())
#else
#define SODE_XMP_LIST(type, ...) ((type const[]){__VA_ARGS__})
#endif

/* Registers the functions of a translation unit that create its nodes, templates and arrays; NULL ends the list. main() runs the
 * registered functions first. */
SODE_C_API void sode_xmp_unit(void (*const* parts)(void));
/* `sode cc --serial`: the program is a single process, and all declared nodes are one node. */
SODE_C_API void sode_xmp_serial(void);
/* Called at the start of main(): joins the job, and creates the objects of all translation units, each once. exit() leaves the
 * job. */
SODE_C_API void sode_xmp_begin(void);

/* `nodes`. `same_as` 0: all ranks of the program; 1 (`= *`): the executing ranks; 2 (`= **`): all ranks of the program. Extent 0:
 * the remaining nodes, after division by the other extents. */
typedef struct sode_xmp_nodes sode_xmp_nodes;
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_make(char const* at, int dims, int64_t const* extents, int same_as);
/* `nodes ... mapping(order)`: node k is rank k, even on several machines. */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_in_order(char const* at, int dims, int64_t const* extents);
/* `nodes ... mapping[costs]`: as for sode_nodes_create_mapped(). */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_mapped(char const* at, int dims, int64_t const* extents, double const* costs);
/* Called before main() if the translation unit has coarrays. Image numbers are rank numbers, so the nodes keep the order of the
 * ranks. */
SODE_C_API void sode_xmp_images(void);
/* Selects indices of a dimension: lower, lower + step, ... below upper. SODE_XMP_ALL: all indices. SODE_XMP_OWN as lower bound: the
 * indices of the executing node (`*`). */
#define SODE_XMP_OWN INT64_MIN
/* A value for the step: the range was written with a negative length. */
#define SODE_XMP_NEGATIVE INT64_MIN
#define SODE_XMP_ALL                                                                                                               \
    { INT64_MIN / 4, INT64_MAX / 4, 1 }
/* `nodes q[...] = p[...]`: the selected nodes of p, in row-major order, with a new shape. */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_part(char const* at, sode_xmp_nodes* of, sode_range const* which, int dims,
                                               int64_t const* extents);
/* `template` and `distribute` */
typedef struct sode_xmp_template sode_xmp_template;
SODE_C_API sode_xmp_template* sode_xmp_template_make(char const* at, int dims, int64_t const* lower, int64_t const* upper);
/* The number of widths in a gblock array, for the next call of one of the following two functions. */
SODE_C_API void sode_xmp_widths_given(char const* at, sode_xmp_template* t, int dim, int64_t count);
/* `formats`: for gblock, `widths` is an array of the program, whose elements have `width` bytes. */
SODE_C_API void sode_xmp_distribute(char const* at, sode_xmp_template* t, sode_xmp_nodes* onto, sode_format const* formats);
/* `template_fix`: sets the bounds of a template that was declared with `:`, and its formats. If an argument is NULL, the earlier
 * bounds or formats are kept. */
SODE_C_API void sode_xmp_template_fix(char const* at, sode_xmp_template* t, int64_t const* lower, int64_t const* upper,
                                      sode_format const* formats);
/* Declares that template `name` comes from a header, at `place`. All files that include the header share this template. Any of the
 * files may fix the template for all files. */
SODE_C_API void sode_xmp_template_of_header(char const* place, char const* name, sode_xmp_template* t);
SODE_C_API void sode_xmp_nodes_leave(sode_xmp_nodes** nodes);
SODE_C_API void sode_xmp_template_leave(sode_xmp_template** t);
/* Sets the names of nodes and templates that messages show. The text is not copied. */
SODE_C_API void sode_xmp_nodes_name(sode_xmp_nodes* nodes, char const* name);
SODE_C_API void sode_xmp_template_name(sode_xmp_template* t, char const* name);

/* Declares the index variable of an align or a loop, so that an expression can be evaluated. */
#define SODE_XMP_INDEX(name, value) long name __attribute__((unused)) = (value)

/* The kind of an object, stored as the first member of every object that xmp_desc_of() returns. */
enum { sode_xmp_is_nodes = 1, sode_xmp_is_template = 2, sode_xmp_is_array = 3, sode_xmp_is_coarray = 4 };
/* An aligned array. The program accesses its elements through `base` and `pitch`. */
typedef struct {
    int64_t kind;     /* sode_xmp_is_array; 0: not yet aligned */
    void* base;       /* the address at which element (0, 0, ...) would be */
    int64_t pitch[7]; /* allocated elements in dimension d */
    struct {
        int64_t chunk, period, phase, before; /* see sode_xmp_place() */
    } cyclic[7];
    struct sode_xmp_array_state* state;
} sode_xmp_array;
/* Aligns index i of dimension d with index i + offsets[d] of dimension targets[d] of `t`; target -1: with no dimension. `slopes`
 * are the factors of i, which must be 1. `shadow`: number of layers below and above in each dimension; -1: the whole dimension. */
SODE_C_API void sode_xmp_array_make(char const* at, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type,
                                    int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                                    int64_t const* slopes, int64_t const* shadow);
/* sode_xmp_array_make() for an aligned pointer. The extents are passed to xmp_malloc(). */
SODE_C_API void sode_xmp_array_later(char const* at, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type,
                                     int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                                     int64_t const* slopes, int64_t const* shadow);
SODE_C_API void sode_xmp_array_leave(sode_xmp_array* array);
/* For an aligned parameter: finds the array that was passed as `local`, the address of its first local element. */
SODE_C_API void sode_xmp_array_given(char const* at, sode_xmp_array* array, char const* name, void const* local,
                                     sode_xmp_template* t, sode_type type, int dims, int64_t const* extents, int const* targets,
                                     int64_t const* offsets, int64_t const* slopes, int64_t const* shadow);
/* The address of the first local element, which is passed to functions. */
SODE_C_API void* sode_xmp_local(sode_xmp_array const* array);

/* The extent of dimension `dim` of an aligned pointer. Memory must have been allocated for the pointer. */
SODE_C_API int64_t sode_xmp_extent(sode_xmp_array const* array, int dim);
/* The number of elements in the longest section from:...:step of a dimension with `extent` elements. */
static inline int64_t sode_xmp_count(int64_t extent, int64_t from, int64_t step) {
    return step < 0 ? from / -step + 1 : (extent - from + step - 1) / step;
}

/* The indices in one dimension that this rank owns. */
typedef struct {
    int64_t lower, upper;                     /* blocks: lower <= index < upper */
    int64_t chunk, nodes, coordinate, origin; /* chunk > 0: also (index - origin) / chunk % nodes == coordinate */
} sode_xmp_share;
SODE_C_API sode_xmp_share sode_xmp_template_share(char const* at, sode_xmp_template const* t, int dim);
SODE_C_API sode_xmp_share sode_xmp_nodes_share(char const* at, sode_xmp_nodes const* nodes, int dim);

static inline int sode_xmp_has(sode_xmp_share const* s, int64_t index) {
    return index >= s->lower && index < s->upper && (s->chunk == 0 || (index - s->origin) / s->chunk % s->nodes == s->coordinate);
}
/* For a loop `for (i = begin; i < end; i += step)` (step < 0: `i > end`) on index i + offset: returns the first index and the end
 * of this rank's part, and the iteration that follows i. For block distributions, that is i + step. */
static inline int64_t sode_xmp_next(sode_xmp_share const* s, int64_t i, int64_t end, int64_t step, int64_t offset) {
    if (s->chunk > 0 && s->nodes == 1) return i + step;
    if (s->chunk == 1 && step == 1) return i + s->nodes;
    if (step == 1 && s->chunk > 0 && i + 1 < end) {
        int64_t const at = i + 1 + offset - s->origin;
        return at % s->chunk != 0 && at > 0 ? i + 1 : i + 1 + (s->nodes - 1) * s->chunk;
    }
    for (i += step; (step > 0 ? i < end : i > end) && !sode_xmp_has(s, i + offset);) i += step;
    return i;
}
/* Returns the first index and the end together, for block distributions. */
typedef struct {
    int64_t first, end;
} sode_xmp_part;
SODE_C_API sode_xmp_part sode_xmp_template_part(char const* at, sode_xmp_template const* t, int dim, int64_t begin, int64_t end,
                                                int64_t step, int64_t offset);
SODE_C_API sode_xmp_part sode_xmp_nodes_part_of(char const* at, sode_xmp_nodes const* nodes, int dim, int64_t begin, int64_t end,
                                                int64_t step, int64_t offset);
SODE_C_API int64_t sode_xmp_first(sode_xmp_share const* s, int64_t begin, int64_t end, int64_t step, int64_t offset);
SODE_C_API int64_t sode_xmp_end(sode_xmp_share const* s, int64_t end, int64_t step, int64_t offset);
/* For `expand`, `margin` and `peel_and_wait`: returns the iterations of `s` in window `which` of dimension `dim`. Window 0 is the
 * owned part, enlarged by `below` and `above` (if negative, reduced). Windows 1 to 2 dims are the slabs between window 0 and the
 * owned part: windows 2 d + 1 and 2 d + 2 are below and above the owned part in dimension d. Each iteration is in exactly one
 * window. */
SODE_C_API sode_xmp_share sode_xmp_window(sode_xmp_share const* s, int dim, int which, int64_t below, int64_t above);
/* The position of index i among this rank's elements in a cyclic dimension. */
#if defined(_OPENACC)
#pragma acc routine seq
#endif
static inline int64_t sode_xmp_place(sode_xmp_array const* a, int dim, int64_t i) {
    int64_t const at = i + a->cyclic[dim].phase;
    if (a->cyclic[dim].period == a->cyclic[dim].chunk) return at - a->cyclic[dim].before; /* a single node owns all indices */
    if (a->cyclic[dim].chunk == 1) return at / a->cyclic[dim].period - a->cyclic[dim].before;
    return at / a->cyclic[dim].period * a->cyclic[dim].chunk + at % a->cyclic[dim].chunk - a->cyclic[dim].before;
}
/* sode_xmp_place(); 0 if no memory has been allocated for the array yet. */
static inline int64_t sode_xmp_place_at(sode_xmp_array const* a, int dim, int64_t i) {
    return a->cyclic[dim].period > 0 ? sode_xmp_place(a, dim, i) : 0;
}
/* The distance between consecutive indices of this rank in a dimension with the format `cyclic` (chunks of one index). */
static inline int64_t sode_xmp_distance(sode_xmp_share const* s) {
    return s->chunk > 0 ? s->nodes : 1;
}
/* Consecutive iterations of this rank, from <= i < to, in a loop with step 1 on index i + offset. `skipped`: the number of
 * iterations of other ranks between this rank's first iteration and `from`. */
typedef struct {
    int64_t from, to, skipped;
} sode_xmp_block;
static inline sode_xmp_block sode_xmp_block_from(sode_xmp_share const* s, int64_t end, int64_t offset, int64_t from,
                                                 int64_t skipped) {
    int64_t const to = s->chunk == 0 || s->nodes == 1 ? end : from + s->chunk - (from + offset - s->origin) % s->chunk;
    sode_xmp_block const block = {from, to < end ? to : end, skipped};
    return block;
}
static inline sode_xmp_block sode_xmp_first_block(sode_xmp_share const* s, int64_t end, int64_t offset, int64_t first) {
    return sode_xmp_block_from(s, end, offset, first, 0);
}
static inline sode_xmp_block sode_xmp_next_block(sode_xmp_share const* s, int64_t end, int64_t offset, sode_xmp_block before) {
    int64_t const others = (s->nodes - 1) * s->chunk;
    return sode_xmp_block_from(s, end, offset, before.to + others, before.skipped + others);
}

/* A set of executing nodes; NULL: all executing nodes. */
typedef struct sode_xmp_set sode_xmp_set;
SODE_C_API sode_xmp_set* sode_xmp_among_nodes(char const* at, sode_xmp_nodes* nodes, sode_range const* which);
SODE_C_API sode_xmp_set* sode_xmp_among_template(char const* at, sode_xmp_template* t, sode_range const* which);
SODE_C_API sode_xmp_set* sode_xmp_among_executing(void);
SODE_C_API sode_xmp_set* sode_xmp_among_all(void);
/* True if this rank is in the set. */
SODE_C_API int sode_xmp_within(sode_xmp_set const* set);
/* The nodes that share a loop over dimensions of `t` or of `nodes`. `dims` has one bit for each dimension. */
SODE_C_API sode_xmp_set* sode_xmp_sharing_template(char const* at, sode_xmp_template* t, unsigned dims);
SODE_C_API sode_xmp_set* sode_xmp_sharing_nodes(char const* at, sode_xmp_nodes* nodes, unsigned dims);
/* Sets the prefix of messages from the next call of a library function: "file:line: xmp_malloc()". */
SODE_C_API void sode_xmp_at(char const* call);
/* The nodes of a set that belong to the innermost task and share a loop in this task. */
SODE_C_API sode_xmp_set* sode_xmp_of_task(sode_xmp_set* set);

/* `task`: `in` is true if this rank is in the set. Until sode_xmp_task_leave() is called, the nodes of the set are the executing
 * nodes. */
typedef struct {
    int in;
    int entered; /* 1: a task; 2: a task with `nocomm`; 3: iterations of a loop */
} sode_xmp_task;
SODE_C_API sode_xmp_task sode_xmp_task_enter(char const* at, sode_xmp_set* set, int alone);
SODE_C_API void sode_xmp_task_leave(sode_xmp_task* task);
/* For a loop whose iterations are each executed by several nodes. Until the loop ends, the nodes of `set` are the executing
 * nodes. */
SODE_C_API sode_xmp_task sode_xmp_loop_enter(sode_xmp_set* set);

SODE_C_API void sode_xmp_barrier(char const* at, sode_xmp_set* set);
/* Called before a loop with a reduction. The reduction follows the loop. The initial value of a variable enters its result exactly
 * once. */
SODE_C_API void sode_xmp_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_xmp_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_xmp_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes);
/* Reduction and broadcast of an array, if all nodes of `set` have copies of its elements. */
SODE_C_API void sode_xmp_reduce_array(char const* at, sode_xmp_set* set, sode_op op, sode_xmp_array* array);
SODE_C_API void sode_xmp_bcast_array(char const* at, sode_xmp_set* set, sode_xmp_set* from, sode_xmp_array* array);
/* Ends the program with a message if a node of `set` lacks any element of a part of an array. `part`: a range in each dimension.
 * The program passes the address of this part to one of the following functions. */
SODE_C_API void sode_xmp_require_part(char const* at, sode_xmp_set* set, sode_xmp_array const* array, sode_range const* part);
/* The nonblocking versions: complete after sode_xmp_wait_async() with the same number. */
SODE_C_API void sode_xmp_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                      int number);
SODE_C_API void sode_xmp_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number);
/* `width`: number of layers below and above in each dimension; NULL: the whole shadow. */
SODE_C_API void sode_xmp_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal);

/* The nonblocking version: complete after sode_xmp_wait_async() with the same number. */
SODE_C_API void sode_xmp_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal, int number);
SODE_C_API void sode_xmp_wait_async(char const* at, int number);
/* `reflect_init`; and `reflect_do`, with the options of the last `reflect_init` for this array. */
SODE_C_API void sode_xmp_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                      int orthogonal);
SODE_C_API void sode_xmp_reflect_do(char const* at, sode_xmp_array* array);
SODE_C_API void sode_xmp_reflect_do_async(char const* at, sode_xmp_array* array, int number);
/* Adds each halo element to the corresponding element on its owner. */
SODE_C_API void sode_xmp_reduce_shadow(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal);
/* Computes the largest or smallest value, and gives every rank the variables `where` from the rank that has this value. If several
 * ranks have this value, the first rank wins; with `last`, the last rank. */
SODE_C_API void sode_xmp_reduce_located(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last,
                                        int count, sode_piece const* where);

/* For a loop with a MAXLOC or MINLOC reduction: the iteration that found the value. `pieces` are the value and the location
 * variables. `dims`: the number of distributed loops. */
typedef struct {
    int dims, count;
    sode_piece const* pieces;
    int64_t at[7]; /* the iteration, with its loops from outermost to innermost; INT64_MIN: no iteration yet */
    void* found;   /* copy of the pieces from that iteration */
} sode_xmp_search;
SODE_C_API void sode_xmp_search_begin(sode_xmp_search* search, int dims, int count, sode_piece const* pieces);
/* Called at the end of iteration `at`. */
SODE_C_API void sode_xmp_search_look(sode_xmp_search* search, int64_t const* at);
/* Like sode_xmp_reduce_located(), but if several iterations found the value, the first iteration wins; with `last`, the last
 * iteration. */
SODE_C_API void sode_xmp_reduce_searched(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last,
                                         sode_xmp_search* search);

/* Allocates a zeroed coarray with the same number of bytes on each image. Collective. */
SODE_C_API void* sode_xmp_coarray(char const* name, size_t bytes);
/* Called before main() if the program has coarrays, posts, or `gmove in`. If this function is called, the program joins its job
 * with support for windows. */
SODE_C_API void sode_xmp_local_view(void);
/* `coarray on`: in x:[k], k is the number of a node in `set`. Without `coarray on`, k is the number of an executing node. `*memory`
 * is the result of sode_xmp_coarray(). The variable may be set later, but must be set before main(). */
SODE_C_API void sode_xmp_coarray_on(char const* at, void** memory, sode_xmp_set* set);
/* `image`: in the next call that synchronises images, image numbers are node numbers in `set`. Returns 1. */
SODE_C_API int sode_xmp_image_among(char const* at, sode_xmp_set* set);
/* Called at the start of a program that synchronises images or creates coarrays at run time. Collective. */
SODE_C_API void sode_xmp_meetings(void);
/* The address of an object on image `image`, which must be on this machine. `local` is the object's address on this image. Called
 * where the program needs an address. */
SODE_C_API void* sode_xmp_image(char const* at, int image, void const* local);
/* An address at which `bytes` bytes of an image can be read: either in the image's memory, or `room`, to which this function copies
 * the bytes. */
SODE_C_API void const* sode_xmp_image_get(char const* at, int image, void const* local, size_t bytes, void* room);
/* An address at which new values of these bytes can be written: either in the image's memory, or in a buffer, which
 * sode_xmp_image_end() copies to the image. `load` 1: the old values are read first, as for `+=`; 2: the old values are read
 * because only a part of the bytes is assigned. */
SODE_C_API void* sode_xmp_image_begin(char const* at, int image, void const* local, size_t bytes, int load);
SODE_C_API void sode_xmp_image_end(char const* at, void const* written, size_t bytes);
/* Returns a handle for an atomic variable or a lock on an image, to be used by the next call. */
SODE_C_API void* sode_xmp_image_atom(char const* at, int image, void const* local);
/* Assignments of sections. sode_xmp_want() adds an element of an image to a list; sode_xmp_get_wanted() fetches all elements in the
 * list together. Puts between sode_xmp_puts_begin() and sode_xmp_puts_end() are sent together. */
typedef struct sode_xmp_wishes sode_xmp_wishes;
SODE_C_API void sode_xmp_want(char const* at, sode_xmp_wishes** list, int image, void const* local, size_t bytes, void* to);
SODE_C_API void sode_xmp_get_wanted(char const* at, sode_xmp_wishes** list);
SODE_C_API void sode_xmp_puts_begin(void);
SODE_C_API void sode_xmp_puts_end(char const* at);

/* Makes this image's changes to coarrays visible to other images. */
SODE_C_API void sode_xmp_sync_memory(void);
/* `post` and `wait`. sode_xmp_posts() prepares the first post, once. Each post satisfies one wait. `from` NULL: posts from any
 * node; `tagged` 0: any tag. A node can have up to 1,024 outstanding posts to each receiver; the next post blocks. */
SODE_C_API void sode_xmp_posts(void);
SODE_C_API void sode_xmp_post(char const* at, sode_xmp_set* to, int tag);
SODE_C_API void sode_xmp_wait(char const* at, sode_xmp_set* from, int tagged, int tag);
/* Lock and unlock an xmp_lock_t. `*holder` is the number (from 1) of the image that holds the lock; 0: no image. `acquired` and
 * `status` belong to the clauses acquired_lock and stat; NULL: there is no such clause. Without `status` an error ends the
 * program. */
SODE_C_API void sode_xmp_lock(char const* at, int* holder, int* acquired, int* status);
SODE_C_API void sode_xmp_unlock(char const* at, int* holder, int* status);

/* Allocates memory for the right-hand side of an assignment of sections. */
SODE_C_API void* sode_xmp_room(size_t bytes);
SODE_C_API void sode_xmp_room_free(void* room);

/* One side of a gmove: a distributed array, or local memory on each rank. */
typedef struct {
    sode_xmp_array* array; /* NULL: use `local` */
    void* local;
    sode_type type;
    int dims;
    int64_t const* extents; /* extents of `local` */
    sode_range const* part;
} sode_xmp_side;
/* The first gmove between two parts plans the copy. A task keeps its 32 most recent plans. */
SODE_C_API void sode_xmp_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
SODE_C_API void sode_xmp_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int number);
/* `gmove in` and `gmove out`: nodes that do not execute the directive may own the right-hand side (in) or the left-hand side (out).
 * The elements on that side are read or written by one-sided access. Writes from other nodes become visible after a
 * synchronisation, as with coarrays. A program with `gmove in` or `gmove out` calls sode_xmp_reach() before main(). */
SODE_C_API void sode_xmp_reach(void);
SODE_C_API void sode_xmp_gmove_in(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
SODE_C_API void sode_xmp_gmove_out(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
/* Sets every element of `to` to `*value`. */
SODE_C_API void sode_xmp_gmove_fill(char const* at, sode_xmp_side const* to, void const* value);
/* sode_xmp_gmove_fill() for `gmove out`: the first executing node stores its value, whichever nodes own the elements. */
SODE_C_API void sode_xmp_gmove_fill_out(char const* at, sode_xmp_side const* to, void const* value);
/* In an assignment with `array on t[from:count]`: reports an error if section `number` and `range` differ in length. */
SODE_C_API void sode_xmp_array_extent(char const* at, int number, sode_range const* range, int64_t count);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
