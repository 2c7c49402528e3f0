/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* local, VLA, static, args */
#pragma xmp nodes p(*)
static int fails;
static void fill(int n, int m, double x[n][m])
{
#pragma xmp template t(0:m-1,0:n-1)
#pragma xmp distribute t(*,block) onto p
#pragma xmp align x[i][j] with t(j,i)
  int i,j;
#pragma xmp loop (i,j) on t(j,i)
  for(i=0;i<n;i++) for(j=0;j<m;j++) x[i][j]=i+0.01*j;
}
static double total(int n, int m, double x[n][m])
{
  double s=0; int i,j;
#pragma xmp template t(0:m-1,0:n-1)
#pragma xmp distribute t(*,block) onto p
#pragma xmp align x[i][j] with t(j,i)
#pragma xmp shadow x[1][0]
#pragma xmp reflect(x)
#pragma xmp loop (i,j) on t(j,i) reduction(+:s)
  for(i=1;i<n-1;i++) for(j=0;j<m;j++) s+=x[i-1][j]+x[i+1][j];
  return s;
}
static int once(void)
{
  static int calls;
#pragma xmp template t[13]
#pragma xmp distribute t[block] onto p
  static int c[13];
#pragma xmp align c[i] with t[i]
#pragma xmp static_desc :: c
  int i, s=0; calls++;
#pragma xmp loop on t[i]
  for(i=0;i<13;i++) c[i]+=calls;
#pragma xmp loop on t[i] reduction(+:s)
  for(i=0;i<13;i++) s+=c[i];
  return s;
}
static int rec(int k)
{
  if(k==0) return 0;
  int n=k*3, i, s=0;
#pragma xmp template t[n]
#pragma xmp distribute t[cyclic] onto p
  int v[n];
#pragma xmp align v[i] with t[i]
#pragma xmp loop on t[i]
  for(i=0;i<n;i++) v[i]=k;
  int below=rec(k-1);
#pragma xmp loop on t[i] reduction(+:s)
  for(i=0;i<n;i++) s+=v[i];
  return s+below;
}
int main(void)
{
  int n=11,m=7;
  {
#pragma xmp template t(0:m-1,0:n-1)
#pragma xmp distribute t(*,block) onto p
    double x[n][m];
#pragma xmp align x[i][j] with t(j,i)
#pragma xmp shadow x[1][0]
    int i,j;
#pragma xmp loop (i,j) on t(j,i)
    for(i=0;i<n;i++) for(j=0;j<m;j++) x[i][j]=i+0.01*j;
    double s=total(n,m,x), ans=0;
    for(i=1;i<n-1;i++) for(j=0;j<m;j++) ans+=2*i+0.02*j;
    if(s-ans>1e-9||ans-s>1e-9) { fails++; printf("ERROR %g %g\n",s,ans); }
  }
  {
#pragma xmp template t(0:m-1,0:n-1)
#pragma xmp distribute t(*,block) onto p
    double y[n][m];
#pragma xmp align y[i][j] with t(j,i)
    fill(n,m,y);
    double e;
#pragma xmp gmove
    e=y[n-1][m-1];
    if(e!=n-1+0.01*(m-1)) { fails++; printf("ERROR fill\n"); }
  }
  int k,s=0; for(k=1;k<=5;k++) { s+=k; int o=once(); if(o!=13*s) { fails++; printf("ERROR once %d %d\n",k,o);} }
  if(rec(5)!=3*(25+16+9+4+1)) { fails++; printf("ERROR rec\n"); }
  return fails!=0;
}
