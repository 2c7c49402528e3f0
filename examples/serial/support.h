/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What the serial programs need around their kernels: command lines, memory, a clock. */

/* Ends the program with "what: which" on stderr. */
__attribute__((noreturn)) void fail(char const* what, char const* which);

/* argv[i + 1], the value of option argv[i]. */
char const* value_of(int argc, char** argv, int i);
/* A whole number that is not below `least`. */
long number(char const* text, long least);

/* Zeroed; never null. */
void* allocate(long elements, long bytes_each);
double seconds(void);
