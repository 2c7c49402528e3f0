/* SPDX-License-Identifier: Apache-2.0 */
/* FLAGS: -std=gnu89 */
/* old C: declarations mixed, function prototypes, K&R, global without init, implicit things */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:255)
#pragma xmp distribute t(cyclic(5)) onto p
unsigned char img[256], out[256]; unsigned hist[16]; short lut[256];
#pragma xmp align img[i] with t(i)
#pragma xmp align out[i] with t(i)
#pragma xmp align lut[i] with t(i)
int compute(n, scale) int n; double scale; { int i; int c = 0;
#pragma xmp loop (i) on t(i) reduction(+:c)
 for (i = 0; i < n; i++) { out[i] = (unsigned char)(img[i] * scale); c += out[i] > 100; }
 return c; }
main()
{
 register int i; auto int k; volatile int vol = 0; int e = 0, c, cc = 0;
#pragma xmp loop (i) on t(i)
 for (i = 0; i < 256; i++) { img[i] = (i * 37) & 255; lut[i] = -i; }
 c = compute(256, 0.5);
 for (k = 0; k < 256; k++) cc += ((unsigned char)(((k*37)&255)*0.5)) > 100;
 if (c != cc) e = 1;
#pragma xmp loop (i) on t(i) reduction(+:hist)
 for (i = 0; i < 256; i++) hist[img[i] >> 4]++;
 for (k = 0; k < 16; k++) if (hist[k] != 16) e = 2;
#pragma xmp loop (i) on t(i)
 for (i = 255; i >= 0; i--) { if (i % 2) continue; lut[i] <<= 1; lut[i] |= 1; vol++; }
#pragma xmp loop (i) on t(i)
 for (i = 0; i < 256; i++) { short w = i % 2 ? -i : ((-i) * 2) | 1; if (lut[i] != w) e = 3; }
#pragma xmp reduction(max:e)
 if (e) printf("ERROR %d\n", e);
 return e;
}
