/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIELD_H
#define FIELD_H
#include <xmp.h>
#define N 50
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
extern double field[N];
#pragma xmp align field[i] with t[i]
/* Made by one file, of a size that it says, and used by the other one. */
extern int count;
extern double *made;
#pragma xmp template open(:), parted(:)
#pragma xmp distribute open(cyclic) onto p
#pragma xmp distribute parted(gblock(*)) onto p
#pragma xmp align made[i] with open(i)
extern int *shares;
#pragma xmp align shares[i] with parted(i)
void fill_made(void);
double total_made(void);
void fill(int factor);
double total(void);
#endif
