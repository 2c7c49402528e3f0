/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SODE_DIRECTIVES_H
#define SODE_DIRECTIVES_H
/* NOLINTBEGIN(modernize-*,readability-*): this is C */
#include <sode/sode.h>
#if defined(__cplusplus)
#include <initializer_list>
#endif

/* What the rewriter has said to the program, too. */
#if !defined(_XCALABLEMP)
#define _XCALABLEMP 201811 /* NOLINT(bugprone-reserved-identifier): the specification names it */
#endif

/* What `sode cc` makes of directives. Nobody writes this by hand: programs see <xmp.h>, other languages <sode/sode.h>.
 *
 * `at` is "file:line" of the directive, for messages. An error ends the program, with what sode_error_text() says: directives have
 * no way to return one. Bounds are half open, in the order of C: the last dimension varies fastest. Source: P4, and the XcalableMP
 * specification 1.4. */

#if defined(__cplusplus)
extern "C" {
#endif

/* A list of values, until the statement is over. */
#if defined(__cplusplus)
#define SODE_XMP_LIST(type, ...) (::std::initializer_list<type>{__VA_ARGS__}.begin())
#else
#define SODE_XMP_LIST(type, ...) ((type const[]){__VA_ARGS__})
#endif

/* The parts of a unit of compilation that make its nodes, templates and arrays, ended by NULL. They run when main() begins. */
SODE_C_API void sode_xmp_unit(void (*const* parts)(void));
/* `sode cc --serial`: the program is one process, and whatever nodes it declares are one node. */
SODE_C_API void sode_xmp_serial(void);
/* main() begins: joins the job, and makes what units have. What is done already is not done again. The job is left at exit(). */
SODE_C_API void sode_xmp_begin(void);

/* `nodes`: all of the program, or the executing ones (`= *`). An extent 0: the rest of them. */
typedef struct sode_xmp_nodes sode_xmp_nodes;
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_make(char const* at, int dims, int64_t const* extents, int executing);
/* `nodes ... mapping(order)`: node k is rank k, also on several machines. */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_in_order(char const* at, int dims, int64_t const* extents);
/* `nodes ... mapping[costs]`: see sode_nodes_create_mapped(). */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_mapped(char const* at, int dims, int64_t const* extents, double const* costs);
/* The unit has coarrays: images are ranks, so nodes keep their order. It is called before main(). */
SODE_C_API void sode_xmp_images(void);
/* Some of the indices of a dimension: lower, lower + step, ... below upper; SODE_XMP_ALL; or, as lower, SODE_XMP_OWN: what the
 * executing node has (`*`). */
#define SODE_XMP_OWN INT64_MIN
#define SODE_XMP_ALL                                                                                                               \
    { INT64_MIN / 4, INT64_MAX / 4, 1 }
/* `nodes q[...] = p[...]`: p's in row-major order, in another shape. */
SODE_C_API sode_xmp_nodes* sode_xmp_nodes_part(char const* at, sode_xmp_nodes* of, sode_range const* which, int dims,
                                               int64_t const* extents);
/* `template` and `distribute` */
typedef struct sode_xmp_template sode_xmp_template;
SODE_C_API sode_xmp_template* sode_xmp_template_make(char const* at, int dims, int64_t const* lower, int64_t const* upper);
/* `formats`: of gblock `widths` is the program's own array, whose elements have `width` bytes. */
SODE_C_API void sode_xmp_distribute(char const* at, sode_xmp_template* t, sode_xmp_nodes* onto, sode_format const* formats);
/* `template_fix`: the bounds of a template that was declared with `:`, NULL: as they are; and its formats, NULL: as they are. */
SODE_C_API void sode_xmp_template_fix(char const* at, sode_xmp_template* t, int64_t const* lower, int64_t const* upper,
                                      sode_format const* formats);
SODE_C_API void sode_xmp_nodes_leave(sode_xmp_nodes** nodes);
SODE_C_API void sode_xmp_template_leave(sode_xmp_template** t);

/* An index of an align or a loop, of which an expression is evaluated. */
#define SODE_XMP_INDEX(name, value) long name __attribute__((unused)) = (value)

/* What xmp_desc_of() gives begins with one of these. */
enum { sode_xmp_is_nodes = 1, sode_xmp_is_template = 2, sode_xmp_is_array = 3 };
/* An aligned array. The program's references use `base` and `pitch`. */
typedef struct {
    int64_t kind;     /* sode_xmp_is_array; 0: not aligned yet */
    void* base;       /* where the element whose indices are all 0 would be */
    int64_t pitch[7]; /* elements of dimension d that are laid out, before those of dimension d - 1 go on */
    struct {
        int64_t chunk, period, phase, before; /* see sode_xmp_place() */
    } cyclic[7];
    struct sode_xmp_array_state* state;
} sode_xmp_array;
/* Index i of dimension d is aligned with index i + offsets[d] of dimension targets[d] of `t`, -1: with none. `slopes` is what one
 * index more adds to that: it must be 1. `shadow`: below and above in each dimension;
 * -1: everything. */
SODE_C_API void sode_xmp_array_make(char const* at, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type,
                                    int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                                    int64_t const* slopes, int64_t const* shadow);
/* The same for a pointer, whose extents xmp_malloc() gets. */
SODE_C_API void sode_xmp_array_later(char const* at, sode_xmp_array* array, char const* name, sode_xmp_template* t, sode_type type,
                                     int dims, int64_t const* extents, int const* targets, int64_t const* offsets,
                                     int64_t const* slopes, int64_t const* shadow);
SODE_C_API void sode_xmp_array_leave(sode_xmp_array* array);
/* The array whose first local element `local` is: what an aligned parameter was given. */
SODE_C_API void sode_xmp_array_given(char const* at, sode_xmp_array* array, char const* name, void const* local,
                                     sode_xmp_template* t, sode_type type, int dims, int64_t const* extents, int const* targets,
                                     int64_t const* offsets, int64_t const* slopes, int64_t const* shadow);
/* The first local element, which is what functions get. */
SODE_C_API void* sode_xmp_local(sode_xmp_array const* array);

/* Extent of dimension `dim` of a pointer that has memory. */
SODE_C_API int64_t sode_xmp_extent(sode_xmp_array const* array, int dim);
/* How many elements the section from:...:step of `extent` elements has, if it goes as far as it can. */
static inline int64_t sode_xmp_count(int64_t extent, int64_t from, int64_t step) {
    return step < 0 ? from / -step + 1 : (extent - from + step - 1) / step;
}

/* The indices of one dimension that are this rank's. */
typedef struct {
    int64_t lower, upper;                     /* in blocks: lower <= index < upper */
    int64_t chunk, nodes, coordinate, origin; /* chunk > 0: (index - origin) / chunk % nodes == coordinate, too */
} sode_xmp_share;
SODE_C_API sode_xmp_share sode_xmp_template_share(char const* at, sode_xmp_template const* t, int dim);
SODE_C_API sode_xmp_share sode_xmp_nodes_share(char const* at, sode_xmp_nodes const* nodes, int dim);

static inline int sode_xmp_has(sode_xmp_share const* s, int64_t index) {
    return index >= s->lower && index < s->upper && (s->chunk == 0 || (index - s->origin) / s->chunk % s->nodes == s->coordinate);
}
/* Of a loop `for (i = begin; i < end; i += step)` (step < 0: `i > end`) on index i + offset: where this rank's part of it begins,
 * where it ends, and what follows i. Where indices are in blocks, i += step does, too. */
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
/* Both at once, where a rank's indices are in blocks: what most loops need. */
typedef struct {
    int64_t first, end;
} sode_xmp_part;
SODE_C_API sode_xmp_part sode_xmp_template_part(char const* at, sode_xmp_template const* t, int dim, int64_t begin, int64_t end,
                                                int64_t step, int64_t offset);
SODE_C_API sode_xmp_part sode_xmp_nodes_part_of(char const* at, sode_xmp_nodes const* nodes, int dim, int64_t begin, int64_t end,
                                                int64_t step, int64_t offset);
SODE_C_API int64_t sode_xmp_first(sode_xmp_share const* s, int64_t begin, int64_t end, int64_t step, int64_t offset);
SODE_C_API int64_t sode_xmp_end(sode_xmp_share const* s, int64_t end, int64_t step, int64_t offset);
/* `expand`, `margin` and `peel_and_wait`: the part of a share that window `which` has in dimension `dim` of a loop. Window 0 is
 * what a rank owns and `below` and `above` more (or, if they are negative, less) on each side. Windows 1 to 2 dims are the slabs
 * between that and what it owns: 2 d + 1 and 2 d + 2 lie below and above in dimension d. Each iteration is in one of them. */
SODE_C_API sode_xmp_share sode_xmp_window(sode_xmp_share const* s, int dim, int which, int64_t below, int64_t above);
/* Where index i of a cyclic dimension lies among this rank's elements. */
#if defined(_OPENACC)
#pragma acc routine seq
#endif
static inline int64_t sode_xmp_place(sode_xmp_array const* a, int dim, int64_t i) {
    int64_t const at = i + a->cyclic[dim].phase;
    if (a->cyclic[dim].period == a->cyclic[dim].chunk) return at - a->cyclic[dim].before; /* one node has all of them */
    if (a->cyclic[dim].chunk == 1) return at / a->cyclic[dim].period - a->cyclic[dim].before;
    return at / a->cyclic[dim].period * a->cyclic[dim].chunk + at % a->cyclic[dim].chunk - a->cyclic[dim].before;
}

/* Some of the executing nodes; NULL: all of them. */
typedef struct sode_xmp_set sode_xmp_set;
SODE_C_API sode_xmp_set* sode_xmp_among_nodes(char const* at, sode_xmp_nodes* nodes, sode_range const* which);
SODE_C_API sode_xmp_set* sode_xmp_among_template(char const* at, sode_xmp_template* t, sode_range const* which);
SODE_C_API sode_xmp_set* sode_xmp_among_executing(void);
SODE_C_API sode_xmp_set* sode_xmp_among_all(void);
/* Whether this rank is one of them. */
SODE_C_API int sode_xmp_within(sode_xmp_set const* set);
/* The nodes that share the iterations of a loop on the dimensions of `t`, or of `nodes`, whose bits are set. */
SODE_C_API sode_xmp_set* sode_xmp_sharing_template(char const* at, sode_xmp_template* t, unsigned dims);
SODE_C_API sode_xmp_set* sode_xmp_sharing_nodes(char const* at, sode_xmp_nodes* nodes, unsigned dims);

/* `task`: `in` says whether this rank is in the set, whose nodes are then the executing ones until it is left. */
typedef struct {
    int in;
    int entered; /* 2: as one of `nocomm` */
} sode_xmp_task;
SODE_C_API sode_xmp_task sode_xmp_task_enter(char const* at, sode_xmp_set* set, int alone);
SODE_C_API void sode_xmp_task_leave(sode_xmp_task* task);
/* A loop whose iterations are each executed by several nodes: those in `set` are the executing ones until it is over. */
SODE_C_API sode_xmp_task sode_xmp_loop_enter(sode_xmp_set* set);

SODE_C_API void sode_xmp_barrier(char const* at, sode_xmp_set* set);
/* Before a loop whose reduction is made behind it: what the variables hold counts once. */
SODE_C_API void sode_xmp_reduce_begin(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_xmp_reduce(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type);
SODE_C_API void sode_xmp_bcast(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes);
/* Of an array whose own elements all nodes of `set` have copies of: these elements. */
SODE_C_API void sode_xmp_reduce_array(char const* at, sode_xmp_set* set, sode_op op, sode_xmp_array* array);
SODE_C_API void sode_xmp_bcast_array(char const* at, sode_xmp_set* set, sode_xmp_set* from, sode_xmp_array* array);
/* The same that go on until sode_xmp_wait_async() of that number. */
SODE_C_API void sode_xmp_reduce_async(char const* at, sode_xmp_set* set, sode_op op, void* values, size_t count, sode_type type,
                                      int number);
SODE_C_API void sode_xmp_bcast_async(char const* at, sode_xmp_set* set, sode_xmp_set* from, void* data, size_t bytes, int number);
/* `width`: below and above in each dimension; NULL: the whole shadow. */
SODE_C_API void sode_xmp_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal);

/* The same that goes on until sode_xmp_wait_async() of that number. */
SODE_C_API void sode_xmp_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal, int number);
SODE_C_API void sode_xmp_wait_async(char const* at, int number);
/* `reflect_init`, and `reflect_do` of what the last one of the array said. */
SODE_C_API void sode_xmp_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                      int orthogonal);
SODE_C_API void sode_xmp_reflect_do(char const* at, sode_xmp_array* array);
SODE_C_API void sode_xmp_reflect_do_async(char const* at, sode_xmp_array* array, int number);
/* What halos hold is added to the elements that they are copies of. */
SODE_C_API void sode_xmp_reduce_shadow(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic,
                                       int orthogonal);
/* The largest or smallest value, and the variables `where` of the rank that has it: of equal ones the first rank, or the last. */
SODE_C_API void sode_xmp_reduce_located(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last,
                                        int count, sode_piece const* where);

/* Of a loop with such a reduction: in which iteration the value was found. `pieces` are the value and the variables that say where
 * it is. `dims` loops are split. */
typedef struct {
    int dims, count;
    sode_piece const* pieces;
    int64_t at[7]; /* of the iteration, in the order in which they come; INT64_MIN: before the first */
    void* found;   /* the pieces as they were then */
} sode_xmp_search;
SODE_C_API void sode_xmp_search_begin(sode_xmp_search* search, int dims, int count, sode_piece const* pieces);
/* Iteration `at` is over. */
SODE_C_API void sode_xmp_search_look(sode_xmp_search* search, int64_t const* at);
/* sode_xmp_reduce_located(), where of equal values the first iteration's wins, or the last one's. */
SODE_C_API void sode_xmp_reduce_searched(char const* at, sode_xmp_set* set, sode_op op, void* value, sode_type type, int last,
                                         sode_xmp_search* search);

/* Memory of a coarray: every image has as many bytes, zeroed. Collective. */
SODE_C_API void* sode_xmp_coarray(char const* name, size_t bytes);
/* The program has coarrays, posts, or `gmove in`: its job is joined for windows. Called before main(). */
SODE_C_API void sode_xmp_local_view(void);
/* Where image `image`, of this machine, has what lies at `local` here: for what needs an address. */
SODE_C_API void* sode_xmp_image(char const* at, int image, void const* local);
/* Where the `bytes` bytes of an image can be read: there, or in `room`, to which they are then got. */
SODE_C_API void const* sode_xmp_image_get(char const* at, int image, void const* local, size_t bytes, void* room);
/* Where what is assigned to them can be written: there, or in memory that sode_xmp_image_end() puts there. `load` 1: it is read
 * before, as by `+=`; 2: and a part of it is assigned to. */
SODE_C_API void* sode_xmp_image_begin(char const* at, int image, void const* local, size_t bytes, int load);
SODE_C_API void sode_xmp_image_end(char const* at, void const* written, size_t bytes);
/* What stands for an atomic variable or a lock of an image in the call that comes next. */
SODE_C_API void* sode_xmp_image_atom(char const* at, int image, void const* local);
/* Assignments of sections: what an element of an image becomes, of all elements, before they are got together; and puts that go
 * together. */
typedef struct sode_xmp_wishes sode_xmp_wishes;
SODE_C_API void sode_xmp_want(char const* at, sode_xmp_wishes** list, int image, void const* local, size_t bytes, void* to);
SODE_C_API void sode_xmp_get_wanted(char const* at, sode_xmp_wishes** list);
SODE_C_API void sode_xmp_puts_begin(void);
SODE_C_API void sode_xmp_puts_end(char const* at);

/* Changes of coarrays are seen by others. */
SODE_C_API void sode_xmp_sync_memory(void);
/* `post`, `wait`: what the first needs, once. A tag that was posted is waited for once; `from` NULL: of any node; `tagged` 0: any
 * tag. A node may owe another one 1,024 of them; then post waits. */
SODE_C_API void sode_xmp_posts(void);
SODE_C_API void sode_xmp_post(char const* at, sode_xmp_set* to, int tag);
SODE_C_API void sode_xmp_wait(char const* at, sode_xmp_set* from, int tagged, int tag);
/* `lock`, `unlock` of an xmp_lock_t: 0, or the number of the image that has it, from 1. */
SODE_C_API void sode_xmp_lock(char const* at, int* holder);
SODE_C_API void sode_xmp_unlock(char const* at, int* holder);

/* Memory for what the right side of an assignment of sections is. */
SODE_C_API void* sode_xmp_room(size_t bytes);
SODE_C_API void sode_xmp_room_free(void* room);

/* One side of a gmove: an array, or memory of each rank. */
typedef struct {
    sode_xmp_array* array; /* NULL: `local` */
    void* local;
    sode_type type;
    int dims;
    int64_t const* extents; /* of `local` */
    sode_range const* part;
} sode_xmp_side;
/* Planned when the parts are moved for the first time; the last 32 plans of a task are kept. */
SODE_C_API void sode_xmp_gmove(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
SODE_C_API void sode_xmp_gmove_async(char const* at, sode_xmp_side const* to, sode_xmp_side const* from, int number);
/* `gmove in`, `gmove out`: the right side, or the left one, may lie on nodes that do not execute it; its elements are then read
 * or written where they are. What others have stored is seen after both sides have met, as with
 * coarrays. sode_xmp_reach(): the program has one; it is called before main(). */
SODE_C_API void sode_xmp_reach(void);
SODE_C_API void sode_xmp_gmove_in(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
SODE_C_API void sode_xmp_gmove_out(char const* at, sode_xmp_side const* to, sode_xmp_side const* from);
/* Every element of `to` becomes `*value`. */
SODE_C_API void sode_xmp_gmove_fill(char const* at, sode_xmp_side const* to, void const* value);

#if defined(__cplusplus)
}
#endif
/* NOLINTEND(modernize-*,readability-*) */
#endif
