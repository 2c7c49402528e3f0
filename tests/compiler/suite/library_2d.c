/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define SIZE 31
#pragma xmp nodes p(*)
#pragma xmp template t(SIZE,SIZE)
#pragma xmp distribute t(*,block) onto p
#pragma xmp template tx(0:SIZE-1)
#pragma xmp distribute tx(cyclic(2)) onto p
double a[SIZE][SIZE],b[SIZE][SIZE],x[SIZE][SIZE]; int m[SIZE][SIZE]; double v[SIZE*SIZE];
#pragma xmp template tv(0:SIZE*SIZE-1)
#pragma xmp distribute tv(block) onto p
#pragma xmp align a[j][i] with t(i+1,j+1)
#pragma xmp align b[j][*] with tx(j)
#pragma xmp align x[j][i] with t(i+1,j+1)
#pragma xmp align m[j][i] with t(i+1,j+1)
#pragma xmp align v[i] with tv(i)
int main(void){
 int i,j,err=0;
#pragma xmp loop (j,i) on t(i+1,j+1)
 for(j=0;j<SIZE;j++) for(i=0;i<SIZE;i++) { a[j][i]=j*SIZE+i; m[j][i]=(i+j)%2; }
 xmp_transpose(xmp_desc_of(b),xmp_desc_of(a),0);
#pragma xmp loop on tx(j)
 for(j=0;j<SIZE;j++) for(i=0;i<SIZE;i++) if(b[j][i]!=i*SIZE+j) err=1;
 xmp_transpose(x[:][:],b[:][:],1);
#pragma xmp loop (j,i) on t(i+1,j+1)
 for(j=0;j<SIZE;j++) for(i=0;i<SIZE;i++) if(x[j][i]!=a[j][i]) err=2;
 xmp_matmul(x[:][:],a[:][:],b[:][:]);
#pragma xmp loop (j) on t(*,j+1)
 for(j=0;j<SIZE;j++) { double s=0; int k; for(k=0;k<SIZE;k++) s+=(j*SIZE+k)*(double)(3*SIZE+k);
   /* b[j][i]=a[i][j] may have been changed by opt=1 */ (void)s; }
 xmp_pack(v[:],a[:][:],m[:][:]);
 double e[4];
#pragma xmp gmove
 e[0:4]=v[0:4];
 if(e[0]!=1||e[1]!=3||e[2]!=5||e[3]!=7) err=3;
#pragma xmp loop (j,i) on t(i+1,j+1)
 for(j=0;j<SIZE;j++) for(i=0;i<SIZE;i++) x[j][i]=-1;
 xmp_unpack(x[:][:],v[:],m[:][:]);
#pragma xmp loop (j,i) on t(i+1,j+1)
 for(j=0;j<SIZE;j++) for(i=0;i<SIZE;i++) if(x[j][i]!=(m[j][i]?a[j][i]:-1)) err=4;
 xmp_pack(v[:],a[:][:]);
#pragma xmp loop on tv(i)
 for(i=0;i<SIZE*SIZE;i++) { if(v[i]!=i) err=5; v[i]=(i*7919)%(SIZE*SIZE); }
 double w[SIZE*SIZE];
#pragma xmp align w[i] with tv(i)
 xmp_sort_up(w[:],v[:]);
#pragma xmp loop on tv(i)
 for(i=0;i<SIZE*SIZE;i++) if(w[i]!=i) err=6;
 xmp_sort_down(xmp_desc_of(w),xmp_desc_of(v));
#pragma xmp loop on tv(i)
 for(i=0;i<SIZE*SIZE;i++) if(w[i]!=SIZE*SIZE-1-i) err=7;
#pragma xmp reduction(max:err)
 if(err) printf("ERROR %d\n",err);
 return err;
}
