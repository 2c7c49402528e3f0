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
