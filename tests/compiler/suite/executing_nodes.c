/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
/* old-style: nodes etc. inside main; everything local; task/tasks with function calls; returns */
int check(int id,int ok){ if(!ok){ printf("ERROR %d node %d\n",id,xmp_all_node_num()); return 1;} return 0; }
int work(int k)
{
#pragma xmp nodes q(*)=*
  int n=xmp_num_nodes(), s=1;
#pragma xmp reduction(+:s)
  if(s!=n) return -1;
#pragma xmp template tt(0:9)
#pragma xmp distribute tt(block) onto q
  int a[10], i, z=0;
#pragma xmp align a[i] with tt(i)
#pragma xmp shadow a[1]
#pragma xmp loop on tt(i)
  for(i=0;i<10;i++) a[i]=k;
#pragma xmp reflect(a)
#pragma xmp loop on tt(i) reduction(+:z)
  for(i=0;i<10;i++) z+=a[i];
#pragma xmp barrier
  return z;
}
int main(void)
{
#pragma xmp nodes p(*)
  int n=xmp_all_num_nodes(), e=0, h=n/2, i, t=0;
  e|=check(1,work(1)==10);
#pragma xmp tasks
  {
#pragma xmp task on p(1:h)
    { t=work(2); }
#pragma xmp task on p(h+1:n)
    { t=work(3); }
  }
  e|=check(2,t==(xmp_node_num()<=h?20:30));
  for(i=1;i<=n;i++)
#pragma xmp task on p(i)
    t=work(i);
  e|=check(3,t==10*xmp_node_num());
#pragma xmp task on p(1:n:2)
  {
    int r=work(4), c=1;
    e|=check(4,r==40);
#pragma xmp reduction(+:c)
    e|=check(5,c==(n+1)/2 && xmp_num_nodes()==(n+1)/2);
#pragma xmp task on p(1) nocomm
    t=99;
  }
  if(xmp_node_num()==1) e|=check(6,t==99);
#pragma xmp task on p(n)
  { if(e) return e;
    if(xmp_all_node_num()!=n) return 1; }
#pragma xmp reduction(max:e)
  return e;
}
