/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include "xmp.h"
#define XSIZE 40
#define YSIZE 32
#define NITER 20
double u[YSIZE][XSIZE], uu[YSIZE][XSIZE], ru[YSIZE][XSIZE], ruu[YSIZE][XSIZE];
#pragma xmp nodes p(*)
#pragma xmp template t(0:YSIZE-1)
#pragma xmp distribute t(block) onto p
#pragma xmp align u[i][*] with t(i)
#pragma xmp align uu[i][*] with t(i)
#pragma xmp shadow uu[1:1][0:0]
static void initialize(void), lap_main(void);
int main(){
 int x,y,k; double d=0;
 initialize(); lap_main();
 for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) ru[y][x]=sin((double)(x-1)/XSIZE*M_PI)+cos((double)(y-1)/YSIZE*M_PI);
 for(k=0;k<NITER;k++){ for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) ruu[y][x]=ru[y][x];
  for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) ru[y][x]=(ruu[y-1][x]+ruu[y+1][x]+ruu[y][x-1]+ruu[y][x+1])/4.0; }
#pragma xmp loop (y) on t(y) reduction(max:d)
 for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) { double z=fabs(u[y][x]-ru[y][x]); if(z>d) d=z; }
#pragma xmp task on p(1)
 printf("%s %g\n", d<1e-13?"PASS":"ERROR", d);
 return d<1e-13?0:1;
}
static void initialize(void){ int x,y;
#pragma xmp loop on t(y)
 for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) u[y][x]=sin((double)(x-1)/XSIZE*M_PI)+cos((double)(y-1)/YSIZE*M_PI);
#pragma xmp loop on t(y)
 for(y=0;y<YSIZE;y++) { u[y][0]=u[y][XSIZE-1]=0.0; uu[y][0]=uu[y][XSIZE-1]=0.0; }
#pragma xmp loop on t(x)
 for(x=0;x<YSIZE;x++) {}
 for(x=0;x<XSIZE;x++){
#pragma xmp task on t(0)
  { u[0][x]=0; uu[0][x]=0; }
#pragma xmp task on t(YSIZE-1)
  { u[YSIZE-1][x]=0; uu[YSIZE-1][x]=0; }
 }
}
static void lap_main(void){ int x,y,k; double sum;
 for(k=0;k<NITER;k++){
#pragma xmp loop on t(y)
  for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) uu[y][x]=u[y][x];
#pragma xmp reflect (uu)
#pragma xmp loop on t(y)
  for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) u[y][x]=(uu[y-1][x]+uu[y+1][x]+uu[y][x-1]+uu[y][x+1])/4.0;
 }
 sum=0.0;
#pragma xmp loop on t(y) reduction(+:sum)
 for(y=1;y<YSIZE-1;y++) for(x=1;x<XSIZE-1;x++) sum+=(uu[y][x]-u[y][x]);
#pragma xmp task on p(1)
 { printf("sum = %g\n", sum); }
}
