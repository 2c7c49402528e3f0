/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <xmp.h>
/* a CG-ish code in old style */
#pragma xmp nodes p(*)
#define N 96
#pragma xmp template t(0:N-1)
#pragma xmp distribute t(block) onto p
static double x[N], b[N], r[N], q[N], pv[N];
#pragma xmp align [i] with t(i) :: x, b, r, q
#pragma xmp align pv[i] with t(i)
#pragma xmp shadow pv[*]
static double A(int i,int j){ return i==j?4.0:(abs(i-j)==1||abs(i-j)==7)?-1.0:0.0; }
static double dot(double u[N], double v[N])
{
#pragma xmp align u[i] with t(i)
#pragma xmp align v[i] with t(i)
 double s=0.; int i;
#pragma xmp loop on t(i) reduction(+:s)
 for(i=0;i<N;i++) s+=u[i]*v[i];
 return s;
}
static double dotp(void){ double s=0; int i;
#pragma xmp loop on t(i) reduction(+:s)
 for(i=0;i<N;i++) s+=pv[i]*q[i];
 return s; }
int main(void){
 int i,j,it; double rho,rho0,al,be;
#pragma xmp loop on t(i)
 for(i=0;i<N;i++) { x[i]=0; b[i]=1+i%3; r[i]=b[i]; pv[i]=b[i]; }
 rho=dot(r,r);
 for(it=0;it<200&&rho>1e-24;it++){
#pragma xmp reflect(pv)
#pragma xmp loop on t(i)
  for(i=0;i<N;i++) { double s=0; for(j=0;j<N;j++) s+=A(i,j)*pv[j]; q[i]=s; }
  al=rho/dotp();
#pragma xmp loop on t(i)
  for(i=0;i<N;i++) { x[i]+=al*pv[i]; r[i]-=al*q[i]; }
  rho0=rho; rho=dot(r,r); be=rho/rho0;
#pragma xmp loop on t(i)
  for(i=0;i<N;i++) pv[i]=r[i]+be*pv[i];
 }
 double full[N], worst=0;
#pragma xmp gmove
 full[:]=x[:];
 for(i=0;i<N;i++){ double s=0; for(j=0;j<N;j++) s+=A(i,j)*full[j]; worst=fmax(worst,fabs(s-(1+i%3))); }
 if(worst>1e-9) { printf("ERROR %g\n",worst); return 1; }
 return 0;
}
