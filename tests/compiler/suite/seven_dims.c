/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* 7-d */
#define M 4
#pragma xmp nodes p[*]
#pragma xmp template t[M][M][M][M][M][M][M]
#pragma xmp distribute t[*][*][*][block][*][*][*] onto p
int a[M][M][M][M][M][M][M], b[M][M][M][M][M][M][M];
#pragma xmp align a[i0][i1][i2][i3][i4][i5][i6] with t[i0][i1][i2][i3][i4][i5][i6]
#pragma xmp align b[i6][i5][i4][i3][i2][i1][i0] with t[i0][i1][i2][i3][i4][i5][i6]
#pragma xmp shadow a[0][0][0][1][0][0][0]
int main(void){
  int i0,i1,i2,i3,i4,i5,i6, err=0; long s=0;
#pragma xmp loop (i0,i1,i2,i3,i4,i5,i6) on t[i0][i1][i2][i3][i4][i5][i6]
  for(i0=0;i0<M;i0++) for(i1=0;i1<M;i1++) for(i2=0;i2<M;i2++) for(i3=0;i3<M;i3++) for(i4=0;i4<M;i4++) for(i5=0;i5<M;i5++) for(i6=0;i6<M;i6++){
    a[i0][i1][i2][i3][i4][i5][i6]=((((((i0*M+i1)*M+i2)*M+i3)*M+i4)*M+i5)*M+i6);
    b[i6][i5][i4][i3][i2][i1][i0]=1; }
#pragma xmp reflect (a) width(0,0,0,/periodic/1,0,0,0)
#pragma xmp loop (i3) on t[*][*][*][i3][*][*][*] reduction(+:s)
  for(i3=0;i3<M;i3++) s += a[1][2][3][i3-1][0][1][2] + a[0][0][0][i3+1][3][3][3] + b[0][0][0][i3][0][0][0];
  long ans=0;
  for(i3=0;i3<M;i3++) ans += ((((((1*M+2)*M+3)*M+(i3+M-1)%M)*M+0)*M+1)*M+2) + (((((0*M+(i3+1)%M)*M+3)*M+3)*M+3)) + 1;
  if(s!=ans) { printf("ERROR %ld %ld\n",s,ans); return 1; }
#pragma xmp gmove
  b[:][:][:][:][:][:][:] = a[:][:][:][:][:][:][:];
#pragma xmp loop (i0,i1,i2,i3,i4,i5,i6) on t[i0][i1][i2][i3][i4][i5][i6]
  for(i0=0;i0<M;i0++) for(i1=0;i1<M;i1++) for(i2=0;i2<M;i2++) for(i3=0;i3<M;i3++) for(i4=0;i4<M;i4++) for(i5=0;i5<M;i5++) for(i6=0;i6<M;i6++)
    if(b[i6][i5][i4][i3][i2][i1][i0]!=((((((i6*M+i5)*M+i4)*M+i3)*M+i2)*M+i1)*M+i0)) err++;
#pragma xmp reduction(+:err)
  if(err) printf("ERROR %d\n", err);
  return err!=0;
}
