/* SPDX-License-Identifier: Apache-2.0 */
/* All functions that XcalableMP has for sections. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <xmp.h>

static int failed = 0;
#define CHECK(c) do { if (!(c)) { if (!failed) printf("node %d, line %d: %s\n", xmp_all_node_num(), __LINE__, #c); failed = 1; } } while (0)
#define N 16
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
double a[N],b[N],c[N]; float f[N],g[N]; long double l[N],m[N]; int e[N];
#pragma xmp align [i] with t[i] :: a,b,c,f,g,l,m,e
#define T1(fn) { _Pragma("xmp array on t[:]") a[:]=fn(b[:]); _Pragma("xmp loop on t[i]") for(int i=0;i<N;i++) CHECK(a[i]==fn(b[i])); }
#define T1f(fn) { _Pragma("xmp array on t[:]") f[:]=fn(g[:]); _Pragma("xmp loop on t[i]") for(int i=0;i<N;i++) CHECK(f[i]==fn(g[i])); }
#define T1l(fn) { _Pragma("xmp array on t[:]") l[:]=fn(m[:]); _Pragma("xmp loop on t[i]") for(int i=0;i<N;i++) CHECK(l[i]==fn(m[i])); }
int main(void){
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) { b[i]=(i+1)/20.; c[i]=i/7.+.1; g[i]=(i+1)/20.f; m[i]=(i+1)/20.L; e[i]=i-3; }
 T1(acos) T1(asin) T1(atan) T1(cos) T1(sin) T1(tan) T1(cosh) T1(sinh) T1(tanh) T1(exp) T1(log) T1(log10) T1(fabs) T1(sqrt) T1(ceil) T1(floor)
 T1f(acosf) T1f(asinf) T1f(atanf) T1f(cosf) T1f(sinf) T1f(tanf) T1f(coshf) T1f(sinhf) T1f(tanhf) T1f(expf) T1f(logf) T1f(log10f) T1f(fabsf) T1f(sqrtf) T1f(ceilf) T1f(floorf)
 T1l(acosl) T1l(asinl) T1l(atanl) T1l(cosl) T1l(sinl) T1l(tanl) T1l(coshl) T1l(sinhl) T1l(tanhl) T1l(expl) T1l(logl) T1l(log10l) T1l(fabsl) T1l(sqrtl) T1l(ceill) T1l(floorl)
#pragma xmp array on t[:]
 a[:]=atan2(b[:],c[:]);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) CHECK(a[i]==atan2(b[i],c[i]));
#pragma xmp array on t[:]
 a[:]=pow(b[:],c[:])+fmod(b[:],0.3)*2;
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) CHECK(fabs(a[i]-(pow(b[i],c[i])+fmod(b[i],0.3)*2))<1e-14);
#pragma xmp array on t[:]
 a[:]=ldexp(b[:],e[:]);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) CHECK(a[i]==ldexp(b[i],e[i]));
#pragma xmp array on t[:]
 a[:]=frexp(b[:],&e[:]);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) { int k; CHECK(a[i]==frexp(b[i],&k)); CHECK(e[i]==k); }
 double x[4]={1,2,3,4},y[4]; int z[4];
 y[:]=frexp(x[:],z[:]);
 for(int i=0;i<4;i++) { int k; CHECK(y[i]==frexp(x[i],&k)); CHECK(z[i]==k); }
#pragma xmp array on t[:]
 a[:]=frexp(b[:],e[:]);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) { int k; CHECK(a[i]==frexp(b[i],&k)); CHECK(e[i]==k); }
 return failed; }
