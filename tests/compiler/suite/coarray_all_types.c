// SPDX-License-Identifier: Apache-2.0
// Put and get of every basic type: variables, elements, sections.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#include <complex.h>
#include <stdbool.h>
#define EACH(F) F(char,c) F(signed char,sc) F(unsigned char,uc) F(short,s) F(unsigned short,us) F(int,i) F(unsigned,u) F(long,l) F(unsigned long,ul) F(long long,ll) F(unsigned long long,ull) F(float,f) F(double,d) F(long double,ld) F(float complex,fc) F(double complex,dc) F(bool,b)
#define DECL(T,n) T n##0:[*]; T n##1[12]:[*]; T n##2[3][4]:[*];
char c0:[*], c1[12]:[*], c2[3][4]:[*];
signed char sc0:[*], sc1[12]:[*], sc2[3][4]:[*];
unsigned char uc0:[*], uc1[12]:[*], uc2[3][4]:[*];
short s0:[*], s1[12]:[*], s2[3][4]:[*];
unsigned short us0:[*], us1[12]:[*], us2[3][4]:[*];
int i0:[*], i1[12]:[*], i2[3][4]:[*];
unsigned u0:[*], u1[12]:[*], u2[3][4]:[*];
long l0:[*], l1[12]:[*], l2[3][4]:[*];
unsigned long ul0:[*], ul1[12]:[*], ul2[3][4]:[*];
long long ll0:[*], ll1[12]:[*], ll2[3][4]:[*];
unsigned long long ull0:[*], ull1[12]:[*], ull2[3][4]:[*];
float f0:[*], f1[12]:[*], f2[3][4]:[*];
double d0:[*], d1[12]:[*], d2[3][4]:[*];
long double ld0:[*], ld1[12]:[*], ld2[3][4]:[*];
float complex fc0:[*], fc1[12]:[*], fc2[3][4]:[*];
double complex dc0:[*], dc1[12]:[*], dc2[3][4]:[*];
bool b0:[*], b1[12]:[*], b2[3][4]:[*];
#define TEST(T,n) { T loc[12]; T x; for(int k=0;k<12;k++) loc[k]=(T)(k+me+1); \
  n##0:[r]=(T)(me+1); n##1[0:6]:[r]=loc[0:6]; n##1[6:3:2]:[r]=loc[1:3:3]; n##2[1][0:4]:[r]=loc[4:4]; n##2[2][3]:[r]=loc[11]; \
  xmp_sync_all(NULL); \
  CK(n##0==(T)(l+1)); for(int k=0;k<6;k++) CK(n##1[k]==(T)(k+l+1)); for(int k=0;k<3;k++) CK(n##1[6+2*k]==(T)(1+3*k+l+1)); \
  for(int k=0;k<4;k++) CK(n##2[1][k]==(T)(4+k+l+1)); CK(n##2[2][3]==(T)(12+l)); xmp_sync_all(NULL); \
  x=n##0:[r]; CK(x==(T)(me+1)); loc[0:12]=0; loc[2:5]=n##1[1:5]:[r]; for(int k=0;k<5;k++) CK(loc[2+k]==(T)(1+k+me+1)); \
  x=n##2[2][3]:[l]; CK(x==(T)(12+(l+n_-1)%n_)); xmp_sync_all(NULL); }
int main(void){ int me=xmpc_this_image(), n_=xmp_num_images(), r=(me+1)%n_, l=(me+n_-1)%n_; EACH(TEST) return bad; }
