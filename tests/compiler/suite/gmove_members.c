/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(*)
#pragma xmp template t(0:19)
#pragma xmp distribute t(block) onto p
struct cfg { int buf[20]; struct { double w[3][5]; } in; int *ptr; };
struct cfg cf; int a[20]; double d2[5][20];
#pragma xmp align a[i] with t(i)
#pragma xmp align d2[*][i] with t(i)
int main(void){
 int i,j,e=0,x=5; int *pp=malloc(sizeof(int)*40); double (*rows)[20]=malloc(sizeof(double)*5*20);
 cf.ptr=pp;
#pragma xmp loop on t(i)
 for(i=0;i<20;i++) { a[i]=i; for(j=0;j<5;j++) d2[j][i]=j*20+i; }
#pragma xmp gmove
 cf.buf[:]=a[:];
#pragma xmp gmove
 pp[0:20]=a[0:20];
#pragma xmp gmove
 cf.ptr[20:20]=a[0:20];
#pragma xmp gmove
 rows[0:5][0:20]=d2[:][:];
#pragma xmp gmove
 cf.in.w[1][0:5]=d2[2][3:5];
 for(i=0;i<20;i++) { if(cf.buf[i]!=i||pp[i]!=i||pp[20+i]!=i) e=1; for(j=0;j<5;j++) if(rows[j][i]!=j*20+i) e=2; }
 for(i=0;i<5;i++) if(cf.in.w[1][i]!=43+i) e=3;
#pragma xmp gmove
 a[0:10]=x;
#pragma xmp gmove
 a[10:5]=3;
#pragma xmp gmove
 a[15]=x;
#pragma xmp gmove
 a[16:4]=cf.buf[1:4];
#pragma xmp gmove
 cf.buf[0:20]=a[0:20];
 for(i=0;i<20;i++) if(cf.buf[i]!=(i<10?5:i<15?3:i==15?5:i-15)) e=4;
#pragma xmp gmove
 d2[0][0:20]=d2[4][0:20];
#pragma xmp gmove
 d2[1:3][5:10]=d2[2:3][4:10];
#pragma xmp gmove
 rows[0:5][:]=d2[0:5][:];
 for(i=0;i<20;i++) { if(rows[0][i]!=80+i) e=5; for(j=1;j<4;j++) if(rows[j][i]!=(i>=5&&i<15?(j+1)*20+i-1:j*20+i)) e=6; }
 for(i=0;i<3;i++) {
#pragma xmp bcast (cf) from p(1)
#pragma xmp bcast (pp[i:2])
#pragma xmp bcast(x,e)
 }
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 free(pp); free(rows);
 return e;
}
