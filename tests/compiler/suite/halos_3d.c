/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 2 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* reflect in 3-D, all kinds */
#define NX 12
#define NY 10
#define NZ 14
#pragma xmp nodes p(2,*)
#pragma xmp nodes p1(*)
#pragma xmp template t(NX,NY,NZ)
#pragma xmp distribute t(*,block,block) onto p
#pragma xmp template tz(0:NZ-1)
#pragma xmp distribute tz(block) onto p1
double u[NZ][NY][NX], v[NZ][NY][NX]; float w[NZ][4];
#pragma xmp align u[k][j][i] with t(i+1,j+1,k+1)
#pragma xmp align v[k][j][i] with t(i+1,j+1,k+1)
#pragma xmp align w[k][*] with tz(k)
#pragma xmp shadow u[1:2][2:1][0]
#pragma xmp shadow v[1][1][0]
#pragma xmp shadow w[2][0]
#define V(k,j,i) ((k)*10000+(j)*100+(i))
int e;
#define T(c) do { if(!(c)) { if(!e) fprintf(stderr,"ERROR line %d node %d\n",__LINE__,xmp_node_num()); e=1; } } while(0)
static void set(void){ int i,j,k;
#pragma xmp loop (k,j) on t(*,j+1,k+1)
 for(k=0;k<NZ;k++) for(j=0;j<NY;j++) for(i=0;i<NX;i++) { u[k][j][i]=V(k,j,i); v[k][j][i]=-V(k,j,i); }
}
int main(void){
 int i,j,k,r;
 set();
#pragma xmp reflect (u)
#pragma xmp loop (k,j) on t(*,j+1,k+1)
 for(k=1;k<NZ-2;k++) for(j=2;j<NY-1;j++) for(i=0;i<NX;i++) T(u[k-1][j-2][i]==V(k-1,j-2,i)&&u[k+2][j+1][i]==V(k+2,j+1,i)&&u[k+2][j-2][i]==V(k+2,j-2,i)&&u[k][j+1][i]==V(k,j+1,i));
 for(r=0;r<3;r++){
#pragma xmp reflect_init (v) width(/periodic/1:1,/periodic/1,0)
#pragma xmp reflect_do (v)
#pragma xmp loop (k,j) on t(*,j+1,k+1)
 for(k=0;k<NZ;k++) for(j=0;j<NY;j++) for(i=0;i<NX;i++) T(v[k-1][j+1][i]==-V((k+NZ-1)%NZ,(j+1)%NY,i) && v[k+1][j-1][i]==-V((k+1)%NZ,(j+NY-1)%NY,i) && v[k+1][j][i]==-V((k+1)%NZ,j,i));
 }
#pragma xmp reflect (u,v) width(0:1,1:0,0) async(5)
#pragma xmp loop (k) on tz(k)
 for(k=0;k<NZ;k++) for(i=0;i<4;i++) w[k][i]=k;
#pragma xmp reflect (w) async(6)
#pragma xmp wait_async (5,6)
#pragma xmp loop (k) on tz(k)
 for(k=2;k<NZ-2;k++) T(w[k-2][1]==k-2&&w[k+2][3]==k+2);
#pragma xmp reduce_shadow (w) width(1,0)
#pragma xmp reduction(max:e)
 return e;
}
