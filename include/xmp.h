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
/* Seconds since some moment, and the smallest difference that can be seen. */
double xmp_wtime(void);
double xmp_wtick(void);
/* Waits for the executing nodes. */
void xmp_barrier(void);
/* Ends the program on all nodes, as exit(status) does. */
void xmp_exit(int status);

#if defined(__cplusplus)
}
#endif
#endif
