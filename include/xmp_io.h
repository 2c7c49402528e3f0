/* SPDX-License-Identifier: Apache-2.0 */
#ifndef XMP_IO_H
#define XMP_IO_H
/* Files that several nodes read and write together. Source: XcalableMP specification 1.4, appendix on I/O. <xmp.h> includes this
 * header.
 *
 * Functions whose names end in _all are called by all executing nodes, and all nodes must be able to open the file by its name.
 * Each node has its own file position for reading and writing; the nodes of an open file also share one position (_shared).
 * Functions that read and write return the number of bytes, or (size_t)-1 if the system reports an error; other int functions
 * return 0 or -1.
 *
 *     xmp_file_t* f = xmp_fopen_all("u.bin", "w");
 *     xmp_fwrite_darray_all(f, xmp_desc_of(u), NULL);  // the elements of the whole array, in row-major order
 *     xmp_fclose_all(f);
 *
 */
#include <stddef.h>
#include <stdio.h> /* SEEK_SET */
#include <xmp.h>

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct xmp_file xmp_file_t;
typedef struct xmp_range xmp_range_t;

/* `mode` is that of fopen(): r, r+, w, w+, a, a+. NULL if a node could not open the file: errno on that node gives the reason. */
xmp_file_t* xmp_fopen_all(char const* name, char const* mode);
/* Returns 0; 1 if `file` is NULL; 2 if the system reports an error. */
int xmp_fclose_all(xmp_file_t* file);
/* Set the position of the calling node, or the shared position. `whence` is SEEK_SET, SEEK_CUR or SEEK_END. xmp_ftell() counts from
 * the beginning of the file, even if there is a view; -1: there is no position. */
int xmp_fseek(xmp_file_t* file, long long offset, int whence);
int xmp_fseek_shared(xmp_file_t* file, long long offset, int whence);
/* Like xmp_fseek_shared(), but called by all nodes together. After the call, every node uses the new position. */
int xmp_fseek_shared_all(xmp_file_t* file, long long offset, int whence);
long long xmp_ftell(xmp_file_t* file);
long long xmp_ftell_shared(xmp_file_t* file);
/* After the call, all nodes can read everything that any node wrote before the call. */
int xmp_file_sync_all(xmp_file_t* file);
/* Reads or writes `count` elements of `size` bytes at the caller's position. The position moves past these elements. */
size_t xmp_fread_all(xmp_file_t* file, void* buffer, size_t size, size_t count);
size_t xmp_fwrite_all(xmp_file_t* file, void const* buffer, size_t size, size_t count);
size_t xmp_fread(xmp_file_t* file, void* buffer, size_t size, size_t count);
size_t xmp_fwrite(xmp_file_t* file, void const* buffer, size_t size, size_t count);
/* Reads or writes at the shared position: each call by a node gets its own part of the file, in the order of the calls. */
size_t xmp_fread_shared(xmp_file_t* file, void* buffer, size_t size, size_t count);
size_t xmp_fwrite_shared(xmp_file_t* file, void const* buffer, size_t size, size_t count);

/* Elements of an array: in each of the dimensions 1, 2, ..., n_dim, `length` elements from index `lb` in steps of `step`. If no
 * range is set for a dimension, the whole dimension is used. */
xmp_range_t* xmp_allocate_range(int n_dim);
void xmp_set_range(xmp_range_t* range, int dim, int lb, int length, int step);
void xmp_free_range(xmp_range_t* range);
/* Reads or writes elements of a distributed array, which are in the file in row-major order, starting at the node's position. All
 * nodes must have the same position, which moves past the last element. range NULL: the whole array. Both functions return the
 * total number of bytes on all nodes. After a read, the caller must reflect the array. */
size_t xmp_fread_darray_all(xmp_file_t* file, xmp_desc_t array, xmp_range_t* range);
size_t xmp_fwrite_darray_all(xmp_file_t* file, xmp_desc_t array, xmp_range_t* range);
/* From `disp` on, the file contains these elements of the array in row-major order. The calling node reads and writes only its own
 * elements, one after another. xmp_file_clear_view_all(): all bytes from `disp` on. The position is reset to the beginning. */
int xmp_file_set_view_all(xmp_file_t* file, long long disp, xmp_desc_t array, xmp_range_t* range);
int xmp_file_clear_view_all(xmp_file_t* file, long long disp);

#if defined(__cplusplus)
}
#endif
#endif
