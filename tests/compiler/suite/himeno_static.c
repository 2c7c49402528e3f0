/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 2 4 6 8 16 */
/* stencil suite with switches; coefficient arrays; nested functions with array args of several shapes */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define MIMAX 17
#define MJMAX 18
#define MKMAX 33
#pragma xmp nodes n(2,*)
#pragma xmp template t(MKMAX,MJMAX,MIMAX)
#pragma xmp distribute t(*,block,block) onto n
static float p[MIMAX][MJMAX][MKMAX], a[4][MIMAX][MJMAX][MKMAX], wrk[MIMAX][MJMAX][MKMAX];
#pragma xmp align p[i][j][k] with t(k+1,j+1,i+1)
#pragma xmp align a[*][i][j][k] with t(k+1,j+1,i+1)
#pragma xmp align wrk[i][j][k] with t(k+1,j+1,i+1)
#pragma xmp shadow p[1][1][0]
#pragma xmp shadow a[0][1][1][0]
static int imax=MIMAX,jmax=MJMAX,kmax=MKMAX;
static void initmt(void){ int i,j,k;
#pragma xmp loop (k,j,i) on t(k+1,j+1,i+1)
 for(i=0;i<MIMAX;i++) for(j=0;j<MJMAX;j++) for(k=0;k<MKMAX;k++) { a[0][i][j][k]=1; a[1][i][j][k]=1; a[2][i][j][k]=1; a[3][i][j][k]=1.0f/6; wrk[i][j][k]=0; p[i][j][k]=(float)(i*i)/((imax-1)*(imax-1)); }
}
static float jacobi(int nn){ int i,j,k,n; float gosa=0,s0,ss;
 for(n=0;n<nn;n++){
  gosa=0;
#pragma xmp reflect (p) width(1,1,0)
#pragma xmp reflect (a)
#pragma xmp loop (k,j,i) on t(k+1,j+1,i+1) reduction(+:gosa)
  for(i=1;i<imax-1;i++) for(j=1;j<jmax-1;j++) for(k=1;k<kmax-1;k++) {
   s0=a[0][i][j][k]*p[i+1][j][k]+a[1][i][j][k]*p[i][j+1][k]+a[2][i][j][k]*p[i][j][k+1]+p[i-1][j][k]+p[i][j-1][k]+p[i][j][k-1];
   ss=s0*a[3][i][j][k]-p[i][j][k]; gosa+=ss*ss; wrk[i][j][k]=p[i][j][k]+0.8f*ss; }
#pragma xmp loop (k,j,i) on t(k+1,j+1,i+1)
  for(i=1;i<imax-1;++i) for(j=1;j<jmax-1;++j) for(k=1;k<kmax-1;++k) p[i][j][k]=wrk[i][j][k];
 }
 return gosa; }
static float rp[MIMAX][MJMAX][MKMAX], rw[MIMAX][MJMAX][MKMAX];
int main(int argc,char**argv){ int i,j,k,n; float g=0,ss;
 initmt(); float gosa=jacobi(3);
 for(i=0;i<MIMAX;i++) for(j=0;j<MJMAX;j++) for(k=0;k<MKMAX;k++) rp[i][j][k]=(float)(i*i)/((imax-1)*(imax-1));
 for(n=0;n<3;n++) { g=0; for(i=1;i<imax-1;i++) for(j=1;j<jmax-1;j++) for(k=1;k<kmax-1;k++) { ss=(rp[i+1][j][k]+rp[i][j+1][k]+rp[i][j][k+1]+rp[i-1][j][k]+rp[i][j-1][k]+rp[i][j][k-1])*(1.0f/6)-rp[i][j][k]; g+=ss*ss; rw[i][j][k]=rp[i][j][k]+.8f*ss; }
  for(i=1;i<imax-1;i++) for(j=1;j<jmax-1;j++) for(k=1;k<kmax-1;k++) rp[i][j][k]=rw[i][j][k]; }
 int bad=0; double d=gosa-g;
 if(d>1e-4*g||d<-1e-4*g) bad=1;
#pragma xmp loop (k,j,i) on t(k+1,j+1,i+1) reduction(+:bad)
 for(i=0;i<MIMAX;i++) for(j=0;j<MJMAX;j++) for(k=0;k<MKMAX;k++) { float x=p[i][j][k]-rp[i][j][k]; if(x>1e-6f||x<-1e-6f) bad++; }
 if(xmp_node_num()==1) printf("%s %g %g\n",bad?"ERROR":"PASS",gosa,g);
 return bad!=0;
}
