/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIELD_H
#define FIELD_H
#define LEN 29
#define EXPECT (LEN*(LEN-1)/2+3.0*LEN)
#pragma xmp nodes p(*)
#pragma xmp template t(0:LEN-1)
#pragma xmp distribute t(block) onto p
extern double field[LEN];
#pragma xmp align field[i] with t(i)
#pragma xmp shadow field[1]
void setup(void); void step(int n); double norm(void);
#endif
