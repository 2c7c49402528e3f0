/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define N 33
#pragma xmp nodes p(*)
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
int a[N],b[N]; float fa[N]; double da[N];
#pragma xmp align a[i] with t(i)
#pragma xmp align b[i] with t(i)
#pragma xmp align fa[i] with t(i)
#pragma xmp align da[i] with t(i)
#pragma xmp shadow a[1]
#pragma xmp shadow b[1]
#define check(c,id) if(!(c)) { fprintf(stderr,"ERROR %d\n",id); exit(1);}
int main(void){
  int i, mx, ix, jx, fix, lx; float fm; double dm; int idx[2];
#pragma xmp loop on t(i)
  for(i=0;i<N;i++){ a[i]=(i*13)%N; b[i]=i/8; fa[i]=-(float)((i*5)%N); da[i]=i*0.5; }
  mx=-1;
#pragma xmp loop on t(i) reduction(max:mx)
  for(i=0;i<N;i++) if(a[i]>mx) mx=a[i];
  check(mx==N-1,1);
  mx=-1; fix=-1;
#pragma xmp loop on t(i) reduction(firstmax:mx/fix/)
  for(i=0;i<N;i++) if(b[i]>mx){ mx=b[i]; fix=i; }
  check(mx==4&&fix==32,2);
  mx=100; lx=-1;
#pragma xmp loop on t(i) reduction(lastmin:mx/lx,jx/)
  for(i=0;i<N;i++) if(b[i]<=mx){ mx=b[i]; lx=i; jx=2*i; }
  check(mx==0&&lx==7&&jx==14,3);
  fm=100;
#pragma xmp loop on t(i) reduction(min:fm)
  for(i=0;i<N;i++) if(fm>fa[i]) fm=fa[i];
  check(fm==-(N-1),4);
  dm=0;
#pragma xmp loop on t(i) reduction(+:dm,mx)
  for(i=0;i<N;i++) { dm+=da[i]; mx++; }
  check(dm==0.5*N*(N-1)/2 && mx==N,5);
  long pr=1; int an=~0,orr=0,x=0,la=1,lo=0;
#pragma xmp loop (i) on t(i) reduction(*:pr) reduction(&:an) reduction(|:orr) reduction(^:x) reduction(&&:la) reduction(||:lo)
  for(i=0;i<N;i++){ if(i%8==0) pr*=(i+1); an&=~(1<<(i%32)); orr|=1<<(i%31); x^=i; la=la&&(a[i]>=0); lo=lo||(a[i]==5); }
  check(pr==1L*9*17*25*33 && an==0 && orr==0x7fffffff && x==(32) && la==1 && lo==1,6);
  int hist[4]={0,0,0,0};
#pragma xmp loop on t(i) reduction(+:hist)
  for(i=0;i<N;i++) hist[i%4]++;
  check(hist[0]==9&&hist[1]==8&&hist[3]==8,7);
  idx[0]=xmp_node_num(); idx[1]=-idx[0];
#pragma xmp reduction(max:idx)
  check(idx[0]==xmp_num_nodes()&&idx[1]==-1,8);
  return 0;
}
