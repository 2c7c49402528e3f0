/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* bcast kinds */
#pragma xmp nodes p(*)
#pragma xmp template t(1:100)
#pragma xmp distribute t(cyclic(7)) onto p
#pragma xmp template t2(10,20)
#pragma xmp nodes g[*][1]
#pragma xmp distribute t2(block,block) onto g
int e; int arr[10], m[3][4][5]; struct { int a; char c[3]; } st; double _Complex z; long double ld; _Bool bo; char txt[20]; float *fp;
#define CK(c) if(!(c)) { fprintf(stderr,"ERROR line %d node %d\n",__LINE__,xmp_node_num()); e=1; }
int main(void){
 int me=xmp_node_num(), n=xmp_num_nodes(), i, j, k, x;
 for(k=1;k<=n;k++){
  x=me; z=me+1.0i; ld=me; bo=me==k; for(i=0;i<10;i++) arr[i]=me*10+i; st.a=me; st.c[1]='a'+me;
  snprintf(txt,20,"node%d",me);
  for(i=0;i<60;i++) (&m[0][0][0])[i]=me*60+i;
#pragma xmp bcast (x,z,ld,bo,st,txt) from p(k) on p(:)
  char w[20]; snprintf(w,20,"node%d",k);
  int q; for(q=0;w[q];q++) CK(w[q]==txt[q]);
  CK(x==k&&z==k+1.0i&&ld==k&&bo==1&&st.a==k&&st.c[1]=='a'+k);
#pragma xmp bcast (arr) from p(k)
  CK(arr[9]==k*10+9);
  for(i=0;i<10;i++) arr[i]=me*10+i;
#pragma xmp bcast (arr[2:3],m[1][:][2:2],m[2][3][4]) from p(k)
  for(i=0;i<10;i++) CK(arr[i]==(i>=2&&i<5?k:me)*10+i);
  CK(m[1][3][3]==k*60+20+15+3); CK(m[2][3][4]==k*60+59); CK(m[1][3][1]==me*60+36); CK(m[0][1][2]==me*60+7);
 }
 for(k=1;k<=100;k+=33){ x=me;
#pragma xmp bcast(x) from t(k)
 CK(x==(k-1)/7%n+1); }
 x=me;
#pragma xmp bcast (x) from p(n) on p(1:n)
 CK(x==n);
 x=me;
#pragma xmp bcast (x) on p(n)
 CK(x==(me==n?n:me));
 x=me;
#pragma xmp bcast (x) from g[n-1][0]
 CK(x==n);
 fp=malloc(80); for(i=0;i<20;i++) fp[i]=me;
#pragma xmp bcast(fp[0:20]) from p(n) async(1)
#pragma xmp wait_async(1) on p
 CK(fp[19]==n);
#pragma xmp reduction(max:e)
 return e;
}
