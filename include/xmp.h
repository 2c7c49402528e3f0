/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XMP_H
#define XMP_H
/* The XcalableMP library, for programs compiled by `sode cc`. Node numbers start at 1 in xmp_… functions, and at 0 in xmpc_…
 * functions. */

#if defined(__cplusplus)
extern "C" {
#endif

/* The number of the executing node, and the number of nodes, in the executing node set: all nodes, or the nodes of the current
 * `task`. */
int xmp_node_num(void);
int xmp_num_nodes(void);
int xmpc_node_num(void);
/* The node number and the number of nodes among all nodes of the program, even in a `task`. */
int xmp_all_node_num(void);
int xmp_all_num_nodes(void);
int xmpc_all_node_num(void);
/* A descriptor of nodes, a template or an aligned array. `sode cc` translates xmp_desc_of(name) to a descriptor. */
typedef void* xmp_desc_t;
/* Allocates memory for an aligned pointer: xmp_malloc(xmp_desc_of(a), n), with one int for each dimension. Returns the address at
 * which element 0 would be, so that a[i] uses global indices. The call is collective. */
void* xmp_malloc(xmp_desc_t descriptor, ...);
void xmp_free(xmp_desc_t descriptor);
/* Inquiry functions for nodes, templates and arrays. The functions return 0, or a negative number if there is no answer: for a
 * descriptor of another kind, a dimension that does not exist, a template without bounds, or an array without memory. `dim` counts
 * from 1. For nodes and templates, dimension 1 varies fastest: the first dimension in round brackets, and the last dimension in
 * square brackets. For arrays, dimension 1 is the first dimension. Source: XcalableMP specification 1.4, chapter 7. */
enum { XMP_ENTIRE_NODES = 1, XMP_EXECUTING_NODES = 2, XMP_PRIMARY_NODES = 3, XMP_EQUIVALENCE_NODES = 4 };
enum { XMP_NOT_DISTRIBUTED = 0, XMP_BLOCK = 1, XMP_CYCLIC = 2, XMP_GBLOCK = 3 };
int xmp_nodes_ndims(xmp_desc_t d, int* ndims);
/* The coordinate of the executing node. Coordinates begin at 1 in xmp_… functions, and at 0 in xmpc_… functions. */
int xmp_nodes_index(xmp_desc_t d, int dim, int* index);
int xmpc_nodes_index(xmp_desc_t d, int dim, int* index);
int xmp_nodes_size(xmp_desc_t d, int dim, int* size);
/* XMP_EQUIVALENCE_NODES means that the nodes are declared as a part of other nodes. xmp_nodes_equiv() returns this part as lb <=
 * index <= ub, from 1, in steps of st. If st is 0, the part is the executing node's own index. */
int xmp_nodes_attr(xmp_desc_t d, int* attr);
int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t* dn, int lb[], int ub[], int st[]);
int xmp_template_fixed(xmp_desc_t d, int* fixed);
int xmp_template_ndims(xmp_desc_t d, int* ndims);
/* The first and the last index of a dimension of the template. */
int xmp_template_lbound(xmp_desc_t d, int dim, int* lbound);
int xmp_template_ubound(xmp_desc_t d, int dim, int* ubound);
int xmp_dist_format(xmp_desc_t d, int dim, int* format);
int xmp_dist_blocksize(xmp_desc_t d, int dim, int* blocksize);
int xmp_dist_gblockmap(xmp_desc_t d, int dim, int map[]);
int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t* dn);
/* The dimension of the nodes over which a dimension of the template is distributed. */
int xmp_dist_axis(xmp_desc_t d, int dim, int* axis);
/* The template dimension with which a dimension of the array is aligned, and the offset that is added to the array index. */
int xmp_align_axis(xmp_desc_t d, int dim, int* axis);
int xmp_align_offset(xmp_desc_t d, int dim, int* offset);
/* True if the nodes along a dimension of the template have copies of the array. */
int xmp_align_replicated(xmp_desc_t d, int dim, int* replicated);
int xmp_align_template(xmp_desc_t d, xmp_desc_t* dt);
int xmp_array_ndims(xmp_desc_t d, int* ndims);
int xmp_array_lshadow(xmp_desc_t d, int dim, int* lshadow);
int xmp_array_ushadow(xmp_desc_t d, int dim, int* ushadow);
/* The first and the last index of the whole array, its global size, and the size of the executing node's part without its
 * shadow. */
int xmp_array_lbound(xmp_desc_t d, int dim, int* lbound);
int xmp_array_ubound(xmp_desc_t d, int dim, int* ubound);
int xmp_array_gsize(xmp_desc_t d, int dim, int* size);
int xmp_array_lsize(xmp_desc_t d, int dim, int* lsize);
/* The address of the executing node's part with its shadow. */
int xmp_array_laddr(xmp_desc_t d, void** laddr);
/* The number of elements from one row of the executing node's part to the next row. */
int xmp_array_lda(xmp_desc_t d, int* lda);
/* The allocated extents of the executing node's part, for the declaration of a C array (versions before 1.4). */
int xmp_array_lead_dim(xmp_desc_t d, int size[]);
/* Converts the global indices of an element to indices in the executing node's part, which begin at 0. Returns a negative number if
 * other nodes own the element. */
int xmp_array_gtol(xmp_desc_t d, int g_idx[], int l_idx[]);
/* Inquiry functions without a return value, as in versions 1.0 and 1.1 of the specification. */
void xmp_gtol(xmp_desc_t d, int g_idx[], int l_idx[]);
/* Functions on whole arrays with any mapping. Pass x[:], x[:][:], ..., or xmp_desc_of(x). All arrays must have the same element
 * type. Collective over the nodes of the arrays. Source: XcalableMP specification 1.4, section 7.9. */
/* x[m][n] = a[n][m]. `opt` 1: the function may overwrite a. */
void xmp_transpose(xmp_desc_t x, xmp_desc_t a, int opt);
/* x[m][n] = a[m][k] b[k][n]. Each node needs memory for its rows of a and its columns of b. */
void xmp_matmul(xmp_desc_t x, xmp_desc_t a, xmp_desc_t b);
/* x[...] = a[idx1[...]][idx2[...]]... : one index array for each dimension of a, aligned as x. */
void xmp_gather(xmp_desc_t x, xmp_desc_t a, ...);
/* x[idx1[...]][idx2[...]]... = a[...] : one index array for each dimension of x, aligned as a. */
void xmp_scatter(xmp_desc_t x, xmp_desc_t a, ...);
/* xmp_pack(v, a) and xmp_pack(v, a, mask) copy the elements of a that the mask selects to v, in row-major order. xmp_unpack(a, v)
 * and xmp_unpack(a, v, mask) copy the elements back. The mask is an array of integers, aligned as a. */
#define xmp_pack(...) sode_xmp_pack(__VA_ARGS__, 0, 0)
#define xmp_unpack(...) sode_xmp_unpack(__VA_ARGS__, 0, 0)
void sode_xmp_pack(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask, ...);
void sode_xmp_unpack(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask, ...);
/* Sorts v2 and stores the result in v1, in ascending or descending order. */
void xmp_sort_up(xmp_desc_t v1, xmp_desc_t v2);
void xmp_sort_down(xmp_desc_t v1, xmp_desc_t v2);
/* Images are the executing nodes, counted from 0: all nodes of the program, or the nodes of the current `task`. x:[k] is x on image
 * k, and xmp_sync_image(k) waits for image k. xmpc_this_image() (xmp_this_image(): from 1) and xmp_num_images() are xmpc_node_num()
 * and xmp_num_nodes(). After `#pragma xmp coarray on p :: x`, k in x:[k] is the number of a node in p, even in a task. `#pragma xmp
 * image(p)` has the same effect on the next call of an xmp_sync function. A store is visible to another image after both images
 * have called one of the xmp_sync functions. All xmp_sync functions set `status`, which may be NULL, to XMP_STAT_SUCCESS. The model
 * is XcalableMP specification 1.4, chapter 5. */
#define XMP_STAT_SUCCESS 0
#define XMP_STAT_OK XMP_STAT_SUCCESS
#define XMP_STAT_STOPPED_IMAGE 1 /* never stored: waiting for an image that has ended is an error */
/* Values of `stat` after `lock` and `unlock`: this image already holds the lock; no image holds it; another image holds it. */
#define XMP_STAT_LOCKED 2
#define XMP_STAT_UNLOCKED 3
#define XMP_STAT_LOCKED_OTHER_IMAGE 4
int xmpc_this_image(void);
int xmp_this_image(void);
int xmp_num_images(void);
void xmp_sync_all(int* status);
void xmp_sync_memory(int* status);
void xmp_sync_image(int image, int* status);
void xmp_sync_images(int count, int* images, int* status);
/* Synchronises with every image, like xmp_sync_images() with a list of all images. The other images may call xmp_sync_image()
 * instead. */
void xmp_sync_images_all(int* status);
/* Converts the numbers of `number` images in a node array, from 0, to their numbers in the program and in the executing set (-1:
 * not in the set). */
void xmp_get_primary_image_index(int number, int index[], int primary[], xmp_desc_t nodes);
void xmp_get_image_index(int number, int index[], int current[], xmp_desc_t nodes);
/* Coarrays that a program creates at run time, and transfers that a program describes by calls, also between machines. Run-time
 * coarrays and transfers work like declared coarrays and `x[a:b:c]:[k] = y[d:b:e]`, and the xmp_sync functions order the transfers
 * in the same way. The address that xmp_new_coarray() stores may also be used as `p[i]:[k]`. An invalid argument ends the program
 * with a message. All int functions return XMP_SUCCESS. The functions for run-time coarrays are not in the specification. The names
 * and arguments are those of the Omni compiler's XMP API. */
#define XMP_SUCCESS 0
typedef struct xmp_array_section xmp_array_section_t;
typedef struct xmp_local_array xmp_local_array_t;
/* Creates a coarray of zeroed elements of `element_size` bytes, and stores the address of this image's memory in `memory`. The
 * codimensions of the coarray are image_extents[0], ..., followed by one more, which depends on the number of images. The last
 * entry of image_extents is ignored. xmp_new_coarray() and xmp_coarray_deallocate() are collective over all images. */
xmp_desc_t xmp_new_coarray(int element_size, int dims, long extents[], int image_dims, int image_extents[], void** memory);
int xmp_coarray_deallocate(xmp_desc_t d);
/* A section: `length` elements in each dimension, `stride` apart (may be negative). Dimension 0 is the first dimension, which
 * varies slowest. */
xmp_array_section_t* xmp_new_array_section(int dims);
int xmp_array_section_set_info(xmp_array_section_t* section, int dim, long start, long length);
int xmp_array_section_set_triplet(xmp_array_section_t* section, int dim, long start, long length, int stride);
void xmp_free_array_section(xmp_array_section_t* section);
/* Local memory of this image as an array, for one side of a transfer. */
xmp_local_array_t* xmp_new_local_array(unsigned long element_size, int dims, long extents[], void* memory);
void xmp_free_local_array(xmp_local_array_t* array);
/* Copies elements to image `image` (put), or from this image (get), in the order of both sections. `image` has an index, from 0,
 * for each codimension. The other side is this image's part of a coarray (possibly the same coarray), a local array, or one
 * element. */
int xmp_coarray_put(int image[], xmp_desc_t to, xmp_array_section_t* to_section, xmp_desc_t from,
                    xmp_array_section_t* from_section);
int xmp_coarray_get(int image[], xmp_desc_t from, xmp_array_section_t* from_section, xmp_desc_t to,
                    xmp_array_section_t* to_section);
int xmp_coarray_put_local(int image[], xmp_desc_t to, xmp_array_section_t* to_section, xmp_local_array_t* from,
                          xmp_array_section_t* from_section);
int xmp_coarray_get_local(int image[], xmp_desc_t from, xmp_array_section_t* from_section, xmp_local_array_t* to,
                          xmp_array_section_t* to_section);
int xmp_coarray_put_scalar(int image[], xmp_desc_t to, xmp_array_section_t* to_section, void* value);
int xmp_coarray_get_scalar(int image[], xmp_desc_t from, xmp_array_section_t* from_section, void* value);
/* A coarray that only one image at a time can lock: `#pragma xmp lock(l:[k])`, `unlock`. */
typedef struct {
    int holder;
} xmp_lock_t;
/* Atomic store and load of an int in a coarray: xmp_atomic_define(x:[k], value), xmp_atomic_ref(&value, x:[k]). `sode cc` passes
 * the address of x:[k]. */
void xmp_atomic_define(int* atom, int value);
void xmp_atomic_ref(int* value, int* atom);
/* The time in seconds since a fixed moment, and the resolution of the clock. */
double xmp_wtime(void);
double xmp_wtick(void);
/* Returns 1 if all operations with this `async` number are complete, otherwise 0. wait_async is still required. */
int xmp_test_async(int async_id);
/* Waits until all executing nodes have called this function. */
void xmp_barrier(void);
/* Ends the program on all nodes, as exit(status) does. */
void xmp_exit(int status);
/* MPI in programs with directives: include <mpi.h>, compile with `sode cc --with=mpicc`, and start with `sode run --mpi` or mpirun.
 * Node k of the program is rank k of MPI_COMM_WORLD. The library initialises MPI before main() (MPI_THREAD_SERIALIZED). Call
 * xmp_init_mpi() instead of MPI_Init(), because xmp_init_mpi() initialises MPI only if MPI is not yet initialised. Call
 * xmp_finalize_mpi() instead of MPI_Finalize(), because arrays may need MPI until the program ends. MPI is finalised at the end of
 * the program. Source: XcalableMP specification 1.4, appendix A. */
#define xmp_init_mpi(argc, argv)                                                                                                   \
    (__extension__({                                                                                                               \
        int sode_xmp_running_ = 0;                                                                                                 \
        MPI_Initialized(&sode_xmp_running_);                                                                                       \
        if (!sode_xmp_running_) MPI_Init(argc, argv);                                                                              \
        sode_xmp_mpi_began(!sode_xmp_running_);                                                                                    \
    }))
#define xmp_finalize_mpi()                                                                                                         \
    (__extension__({                                                                                                               \
        int sode_xmp_over_ = 0;                                                                                                    \
        MPI_Finalized(&sode_xmp_over_);                                                                                            \
        if (!sode_xmp_over_ && sode_xmp_mpi_is_the_program_s()) MPI_Finalize();                                                    \
    }))
/* The communicator of the executing nodes, in node order. Every call returns the same communicator. The first call is collective
 * over the executing nodes. If MPI did not start the nodes, the program ends with a message. */
#define xmp_get_mpi_comm()                                                                                                         \
    (__extension__({                                                                                                               \
        int sode_xmp_size_ = 0, sode_xmp_rank_ = -1, sode_xmp_running_ = 0;                                                        \
        MPI_Initialized(&sode_xmp_running_);                                                                                       \
        if (sode_xmp_running_) {                                                                                                   \
            MPI_Comm_size(MPI_COMM_WORLD, &sode_xmp_size_);                                                                        \
            MPI_Comm_rank(MPI_COMM_WORLD, &sode_xmp_rank_);                                                                        \
        }                                                                                                                          \
        sode_xmp_mpi_set sode_xmp_set_ = sode_xmp_mpi_executing(sode_xmp_size_, sode_xmp_rank_, sizeof(MPI_Comm));                 \
        if (!*sode_xmp_set_.made) {                                                                                                \
            MPI_Group sode_xmp_all_, sode_xmp_some_;                                                                               \
            MPI_Comm_group(MPI_COMM_WORLD, &sode_xmp_all_);                                                                        \
            MPI_Group_incl(sode_xmp_all_, sode_xmp_set_.count, sode_xmp_set_.ranks, &sode_xmp_some_);                              \
            MPI_Comm_create_group(MPI_COMM_WORLD, sode_xmp_some_, 0, (MPI_Comm*)sode_xmp_set_.communicator);                       \
            MPI_Group_free(&sode_xmp_some_);                                                                                       \
            MPI_Group_free(&sode_xmp_all_);                                                                                        \
            *sode_xmp_set_.made = 1;                                                                                               \
        }                                                                                                                          \
        *(MPI_Comm*)sode_xmp_set_.communicator;                                                                                    \
    }))
/* For an MPI program that calls functions with directives, compiled by `sode cc`: call xmp_init(comm) after MPI_Init(), and
 * xmp_finalize() before MPI_Finalize(). `comm` must contain all ranks of MPI_COMM_WORLD in the same order. */
#define xmp_init(comm)                                                                                                             \
    (__extension__({                                                                                                               \
        int sode_xmp_same_ = MPI_UNEQUAL;                                                                                          \
        MPI_Comm_compare(comm, MPI_COMM_WORLD, &sode_xmp_same_);                                                                   \
        sode_xmp_mpi_joined(sode_xmp_same_ == MPI_IDENT || sode_xmp_same_ == MPI_CONGRUENT);                                       \
    }))
void xmp_finalize(void);
/* The functions that these macros call. */
typedef struct {
    int count;
    int const* ranks;
    int* made;
    void* communicator;
} sode_xmp_mpi_set;
sode_xmp_mpi_set sode_xmp_mpi_executing(int size, int rank, unsigned long bytes);
void sode_xmp_mpi_began(int by_the_program);
int sode_xmp_mpi_is_the_program_s(void);
void sode_xmp_mpi_joined(int has_all);

#if defined(__cplusplus)
}
#endif

#include <xmp_io.h> /* files: xmp_fopen_all(), ... */
#endif
