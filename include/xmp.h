/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XMP_H
#define XMP_H
/* The library of XcalableMP, for programs that `sode cc` compiles. Numbers of nodes begin at 1 in xmp_…, at 0 in xmpc_…. */

#if defined(__cplusplus)
extern "C" {
#endif

/* The executing nodes: all of them, or those of the `task` that runs. */
int xmp_node_num(void);
int xmp_num_nodes(void);
int xmpc_node_num(void);
/* All nodes of the program, in a `task`, too. */
int xmp_all_node_num(void);
int xmp_all_num_nodes(void);
int xmpc_all_node_num(void);
/* What a name of nodes, a template or an aligned array stands for: xmp_desc_of(name), which `sode cc` understands. */
typedef void* xmp_desc_t;
/* Memory for an aligned pointer: xmp_malloc(xmp_desc_of(a), n), an int for each dimension. Gives where element 0 would be, so that
 * a[i] takes global indices. Collective. */
void* xmp_malloc(xmp_desc_t descriptor, ...);
void xmp_free(xmp_desc_t descriptor);
/* What nodes, templates and arrays are. All give 0, and a negative number if there is no answer: another kind of descriptor, no
 * such dimension, a template without a size, an array without memory. `dim` counts from 1; of nodes and templates dimension 1 is
 * the one that varies fastest: the first in round brackets, the last in square ones. Of arrays it is the first. Source: XcalableMP
 * specification 1.4, chapter 7. */
enum { XMP_ENTIRE_NODES = 1, XMP_EXECUTING_NODES = 2, XMP_PRIMARY_NODES = 3, XMP_EQUIVALENCE_NODES = 4 };
enum { XMP_NOT_DISTRIBUTED = 0, XMP_BLOCK = 1, XMP_CYCLIC = 2, XMP_GBLOCK = 3 };
int xmp_nodes_ndims(xmp_desc_t d, int* ndims);
/* Where the executing node is, from 1; xmpc_...: from 0. */
int xmp_nodes_index(xmp_desc_t d, int dim, int* index);
int xmpc_nodes_index(xmp_desc_t d, int dim, int* index);
int xmp_nodes_size(xmp_desc_t d, int dim, int* size);
/* XMP_EQUIVALENCE_NODES: declared as a part of others, which xmp_nodes_equiv() tells: lb <= index <= ub, from 1, in steps of st;
 * st 0: the executing node's own index. */
int xmp_nodes_attr(xmp_desc_t d, int* attr);
int xmp_nodes_equiv(xmp_desc_t d, xmp_desc_t* dn, int lb[], int ub[], int st[]);
int xmp_template_fixed(xmp_desc_t d, int* fixed);
int xmp_template_ndims(xmp_desc_t d, int* ndims);
/* First and last index. */
int xmp_template_lbound(xmp_desc_t d, int dim, int* lbound);
int xmp_template_ubound(xmp_desc_t d, int dim, int* ubound);
int xmp_dist_format(xmp_desc_t d, int dim, int* format);
int xmp_dist_blocksize(xmp_desc_t d, int dim, int* blocksize);
int xmp_dist_gblockmap(xmp_desc_t d, int dim, int map[]);
int xmp_dist_nodes(xmp_desc_t d, xmp_desc_t* dn);
/* The dimension of the nodes that a dimension of the template is split over. */
int xmp_dist_axis(xmp_desc_t d, int dim, int* axis);
/* The dimension of the template that a dimension of the array follows, and what is added to its index. */
int xmp_align_axis(xmp_desc_t d, int dim, int* axis);
int xmp_align_offset(xmp_desc_t d, int dim, int* offset);
/* Whether nodes along a dimension of the template have copies. */
int xmp_align_replicated(xmp_desc_t d, int dim, int* replicated);
int xmp_align_template(xmp_desc_t d, xmp_desc_t* dt);
int xmp_array_ndims(xmp_desc_t d, int* ndims);
int xmp_array_lshadow(xmp_desc_t d, int dim, int* lshadow);
int xmp_array_ushadow(xmp_desc_t d, int dim, int* ushadow);
/* First and last index of the whole array, and how many there are: of all nodes, and this one's own without its shadow. */
int xmp_array_lbound(xmp_desc_t d, int dim, int* lbound);
int xmp_array_ubound(xmp_desc_t d, int dim, int* ubound);
int xmp_array_gsize(xmp_desc_t d, int dim, int* size);
int xmp_array_lsize(xmp_desc_t d, int dim, int* lsize);
/* Where the own elements begin, their shadow included; elements from one row of it to the next; and the indices, from 0, that a
 * own global element has there (a negative number is returned for elements of other nodes). */
int xmp_array_laddr(xmp_desc_t d, void** laddr);
int xmp_array_lda(xmp_desc_t d, int* lda);
int xmp_array_gtol(xmp_desc_t d, int g_idx[], int l_idx[]);
/* What is computed of whole arrays, each of any mapping: give x[:], x[:][:], ..., or xmp_desc_of(x). Collective over the nodes of
 * the arrays; these have the same element type. Source: XcalableMP specification 1.4, section 7.9. */
/* x[m][n] = a[n][m]. `opt` 1 allows that a changes. */
void xmp_transpose(xmp_desc_t x, xmp_desc_t a, int opt);
/* x[m][n] = a[m][k] b[k][n]. Each node needs memory for its rows of a and its columns of b. */
void xmp_matmul(xmp_desc_t x, xmp_desc_t a, xmp_desc_t b);
/* x[...] = a[idx1[...]][idx2[...]]... : an index array for each dimension of a, aligned as x. */
void xmp_gather(xmp_desc_t x, xmp_desc_t a, ...);
/* x[idx1[...]][idx2[...]]... = a[...] : an index array for each dimension of x, aligned as a. */
void xmp_scatter(xmp_desc_t x, xmp_desc_t a, ...);
/* xmp_pack(v, a) or xmp_pack(v, a, mask): the elements of a that the mask selects, in row-major order; xmp_unpack(a, v) or
 * xmp_unpack(a, v, mask): the way back. The mask is an array of integers, aligned as a. */
#define xmp_pack(...) sode_xmp_pack(__VA_ARGS__, 0, 0)
#define xmp_unpack(...) sode_xmp_unpack(__VA_ARGS__, 0, 0)
void sode_xmp_pack(xmp_desc_t v, xmp_desc_t a, xmp_desc_t mask, ...);
void sode_xmp_unpack(xmp_desc_t a, xmp_desc_t v, xmp_desc_t mask, ...);
/* v1 = v2, in ascending or descending order. */
void xmp_sort_up(xmp_desc_t v1, xmp_desc_t v2);
void xmp_sort_down(xmp_desc_t v1, xmp_desc_t v2);
/* Images are the ranks of the program, counted from 0; x:[k] is what image k has as x. Stores are seen by others after both sides
 * did one of these. `status` gets XMP_STAT_OK, and may be NULL. */
#define XMP_STAT_OK 0
int xmpc_this_image(void);
int xmp_num_images(void);
void xmp_sync_all(int* status);
void xmp_sync_memory(int* status);
void xmp_sync_image(int image, int* status);
void xmp_sync_images(int count, int* images, int* status);
void xmp_sync_images_all(int* status);
/* A coarray that one image at a time has locked: `#pragma xmp lock(l:[k])`, `unlock`. */
typedef struct {
    int holder;
} xmp_lock_t;
/* An int of a coarray is stored and loaded in one piece: xmp_atomic_define(x:[k], value), xmp_atomic_ref(&value, x:[k]). `sode cc`
 * gives these functions its address. */
void xmp_atomic_define(int* atom, int value);
void xmp_atomic_ref(int* value, int* atom);
/* Seconds since some moment, and the smallest difference that can be seen. */
double xmp_wtime(void);
double xmp_wtick(void);
/* Whether all that `async` of that number began is over: 1 or 0. wait_async is still needed. */
int xmp_test_async(int async_id);
/* Waits for the executing nodes. */
void xmp_barrier(void);
/* Ends the program on all nodes, as exit(status) does. */
void xmp_exit(int status);
/* MPI beside directives: include <mpi.h>, compile with `sode cc --with=mpicc`, start by `sode run --mpi` or mpirun. Node k of the
 * program is rank k of MPI_COMM_WORLD. The library has initialised MPI before main() then (MPI_THREAD_SERIALIZED), so a program
 * calls xmp_init_mpi() in place of MPI_Init(), which initialises it if nobody has; xmp_finalize_mpi() in place of MPI_Finalize():
 * arrays may need MPI until the program ends, and it is finalised then. Source: XcalableMP specification 1.4, appendix A. */
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
/* The communicator of the executing nodes, in their order: the same one each time. Collective among them the first time. Ends the
 * program with a message if MPI was not started with the nodes. */
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
/* A program of MPI that calls functions with directives, compiled by `sode cc`: xmp_init(comm) behind MPI_Init(), where comm has
 * all ranks of MPI_COMM_WORLD in their order, and xmp_finalize() before MPI_Finalize(). */
#define xmp_init(comm)                                                                                                             \
    (__extension__({                                                                                                               \
        int sode_xmp_same_ = MPI_UNEQUAL;                                                                                          \
        MPI_Comm_compare(comm, MPI_COMM_WORLD, &sode_xmp_same_);                                                                   \
        sode_xmp_mpi_joined(sode_xmp_same_ == MPI_IDENT || sode_xmp_same_ == MPI_CONGRUENT);                                       \
    }))
void xmp_finalize(void);
/* What these macros call. */
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
#endif
