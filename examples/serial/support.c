/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199309L
#include "serial/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void fail(char const* what, char const* which) {
    fprintf(stderr, "%s: %s\n", what, which);
    exit(2);
}

char const* value_of(int argc, char** argv, int i) {
    if (i + 1 == argc) fail("an option without its value", argv[i]);
    return argv[i + 1];
}

long number(char const* text, long least) {
    char* end = NULL;
    long const n = strtol(text, &end, 10);
    if (end == text || *end != '\0' || n < least) fail("not a number that makes sense here", text);
    return n;
}

void* allocate(long elements, long bytes_each) {
    void* const memory = calloc((size_t)elements, (size_t)bytes_each);
    if (!memory) fail("no memory for", "the arrays");
    return memory;
}

double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
