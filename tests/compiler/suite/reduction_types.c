/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 1 2 3 4 6 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* reduction kinds over every type */
#pragma xmp nodes p(*)
int e;
#define CK(c) if(!(c)) { fprintf(stderr,"ERROR line %d node %d\n",__LINE__,xmp_node_num()); e=1; }
#define T(type) { type a=me, b=me, c=1, d=me, v[3]={me,1,me}; \
  _Pragma("xmp reduction(+:a)") CK(a==(type)(n*(n+1)/2)); \
  _Pragma("xmp reduction(max:b)") CK(b==(type)n); \
  _Pragma("xmp reduction(*:c)") CK(c==1); \
  _Pragma("xmp reduction(min:d)") CK(d==1); \
  _Pragma("xmp reduction(+:v)") CK(v[0]==(type)(n*(n+1)/2)&&v[1]==(type)n); \
  _Pragma("xmp reduction(max:v[1:2]) on p(:)") CK(v[1]==n); }
#define U(type) { type a=1, b=me, c=me; \
  _Pragma("xmp reduction(&:a)") CK(a==1); \
  _Pragma("xmp reduction(^:b)") CK(b==(type)x); \
  _Pragma("xmp reduction(|:c)") CK(c==(type)o); \
  a=me==1; b=me; _Pragma("xmp reduction(&&:b)") CK(b==1); _Pragma("xmp reduction(||:a)") CK(a==1); }
int main(void){
 int me=xmp_node_num(), n=xmp_num_nodes(), x=0, o=0, i;
 for(i=1;i<=n;i++) { x^=i; o|=i; }
 T(char) T(signed char) T(unsigned char) T(short) T(unsigned short) T(int) T(unsigned) T(long) T(unsigned long) T(long long) T(unsigned long long) T(float) T(double) T(long double)
 U(char) U(unsigned char) U(short) U(unsigned short) U(int) U(unsigned int) U(long) U(unsigned long) U(long long) U(unsigned long long)
 { double _Complex s=me+me*2.0i, q=1; float _Complex f=me;
#pragma xmp reduction(+:s)
   CK(s==n*(n+1)/2+n*(n+1)*1.0i);
#pragma xmp reduction(+:f)
   CK(f==n*(n+1)/2);
#pragma xmp reduction(*:q)
   CK(q==1); }
 { int v=me%3, ix=me, w; double dv=me/2, r[2]; int iv[2];
#pragma xmp reduction(max:v/ix/)
   CK(v==(n>=2?2:1)); CK(ix%3==v%3);
   v=me/3; ix=me; w=-me;
#pragma xmp reduction(firstmin:v/ix,w/)
   CK(v==0&&ix==1&&w==-1);
   ix=me;
#pragma xmp reduction(lastmax:dv/ix/)
   CK(dv==n/2&&ix==n);
   (void)r; (void)iv; }
 { int a=me,b=2*me,c=me; int big[1000]; for(i=0;i<1000;i++) big[i]=me*i;
#pragma xmp reduction(+:a,b) on p async(7)
#pragma xmp reduction(+:big) async(8)
#pragma xmp wait_async(7)
   CK(a==n*(n+1)/2&&b==n*(n+1));
#pragma xmp wait_async(8)
   for(i=0;i<1000;i++) CK(big[i]==n*(n+1)/2*i);
#pragma xmp reduction(-:c)
   (void)c; }
#pragma xmp reduction(max:e)
 return e;
}
