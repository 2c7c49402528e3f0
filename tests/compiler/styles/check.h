/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
static int failures;
#define CHECK(c) \
    do { \
        if (!(c) && failures++ < 5) fprintf(stderr, "%s:%d: node %d: %s\n", __FILE__, __LINE__, xmp_all_node_num(), #c); \
    } while (0)
#endif
