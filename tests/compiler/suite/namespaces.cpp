/* SPDX-License-Identifier: Apache-2.0 */
#include <cstdio>
#include <cstdlib>
#include <complex>
#include <vector>
#include <xmp.h>
namespace grid { constexpr int n = 20, m = 12;
#pragma xmp nodes p(*)
#pragma xmp template t(0:m-1,0:n-1)
#pragma xmp distribute t(*,block) onto p
double u[n][m]; std::complex<double> z[n]; struct P { int a; float b; bool operator==(P const& o) const { return a==o.a&&b==o.b; } }; P ps[n];
#pragma xmp align u[i][j] with t(j,i)
#pragma xmp align z[i] with t(*,i)
#pragma xmp align ps[i] with t(*,i)
#pragma xmp shadow u[1][0]
#pragma xmp shadow ps[1]
}
template<class F> int sum(F f){ using namespace grid; int s=0;
#pragma xmp loop on t(*,i) reduction(+:s)
 for(int i=0;i<n;i++) s+=f(i);
 return s; }
class solver { int k; public: explicit solver(int v):k(v){} void run(){ using namespace grid;
#pragma xmp loop (i,j) on t(j,i)
 for(int i=0;i<n;++i) for(int j=0;j<m;++j) u[i][j]=k*i+j;
#pragma xmp reflect(u)
 }
 bool test() const { bool ok=true; using namespace grid;
#pragma xmp loop on t(*,i) reduction(&&:ok)
 for(int i=1;i<n-1;++i) ok = ok && u[i-1][2]+u[i+1][3]==2*k*i+5;
 return ok; } };
int main(){ using namespace grid; int e=0;
 solver s(3); s.run(); if(!s.test()) e=1;
#pragma xmp loop on t(*,i)
 for(int i=0;i<n;i++) { z[i]={1.0*i,-1.0}; ps[i]=P{i,0.5f}; }
 std::complex<double> tot=0;
#pragma xmp loop on t(*,i) reduction(+:tot)
 for(int i=0;i<n;i++) tot+=z[i];
 if(tot!=std::complex<double>(190,-20)) e=2;
#pragma xmp reflect(ps)
 if(sum([](int i){ return i>0&&ps[i-1]==P{i-1,0.5f}?1:0; })!=n-1) e=3;
 std::vector<int> v(n);
 auto f=[&]{
#pragma xmp loop on t(*,i)
 for(int i=0;i<n;i++) v[i]=ps[i].a;
#pragma xmp reduction(+:e)
 };
 f();
 if(e) std::printf("ERROR %d\n",e);
 return e;
}
