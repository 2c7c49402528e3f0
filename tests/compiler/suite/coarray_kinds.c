/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
int a[10]:[*], b[10][10]:[*]; long long c:[*]; double _Complex z[4]:[*]; short s[7]:[*]; unsigned char uc[3][3][3]:[*]; float f[100]:[*];
long double ld[2]:[*];
#pragma xmp nodes p(*)
int main(void){
  int me = xmpc_this_image(), n = xmp_num_images(), i,j,k, st, result=0, nx=(me+1)%n, pv=(me+n-1)%n;
  int l[10], l2[10][10];
  for(i=0;i<10;i++){ a[i]=me*100+i; for(j=0;j<10;j++) b[i][j]=me*1000+i*10+j; }
  c = 1LL<<(33+me); z[0]=me+2.0i*me; for(i=0;i<7;i++) s[i]=me+i; ld[0]=me; ld[1]=2*me; for(i=0;i<100;i++) f[i]=me*i;
  for(i=0;i<3;i++)for(j=0;j<3;j++)for(k=0;k<3;k++) uc[i][j][k]=me*27+i*9+j*3+k;
  xmp_sync_all(&st);
  if(st!=XMP_STAT_OK) result=1;
  l[:] = a[:]:[nx];
  for(i=0;i<10;i++) if(l[i]!=nx*100+i) result=2;
  l[0:5] = a[0:5:2]:[pv];
  for(i=0;i<5;i++) if(l[i]!=pv*100+2*i) result=3;
  l2[2:3][1:4] = b[5:3][0:4:3]:[nx];
  for(i=0;i<3;i++)for(j=0;j<4;j++) if(l2[2+i][1+j]!=nx*1000+(5+i)*10+3*j) result=4;
  if(c:[nx] != 1LL<<(33+nx)) result=5;
  if(z[0]:[nx] != nx+2.0i*nx) result=6;
  if(uc[1][2][0]:[nx] != (unsigned char)(nx*27+15)) result=7;
  if(ld[1]:[nx] != 2*nx) result=8;
  xmp_sync_all(&st);
  f[10:20]:[nx] = f[50:20];
  s[0:7]:[nx] = 3;
  b[9][:]:[nx] = l[:];
  xmp_sync_all(&st);
  for(i=0;i<20;i++) if(f[10+i]!=pv*(50+i)) { if(!(pv!=me && 0)) result=9; }
  for(i=0;i<7;i++) if(s[i]!=3) result=10;
  xmp_sync_all(NULL);
  if(me==0) for(k=0;k<n;k++) a[3]:[k] += k;
  xmp_sync_all(NULL);
  if(a[3]!=me*100+3+me) result=11;
  /* one-sided chain */
  xmp_sync_images(n, (int[]){0,1,2,3,4,5,6,7}, &st);
#pragma xmp reduction(max:result)
  if(result){ printf("ERROR %d\n",result); exit(1);}
  return 0;
}
