/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[10][12]
#pragma xmp distribute t[block][*] onto p
int a[10][12], b[10][12], s[12];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with t[i][j]
#pragma xmp shadow a[1:2][0]
#pragma xmp shadow b[2:1][0]
int main(void){
 int i,j,e=0;
#pragma xmp array on t[:][:]
 a[:][:] = 1;
#pragma xmp array on t[2:5][3:4]
 a[2:5][3:4] = a[2:5][3:4] + 10;
#pragma xmp loop on t[i][j]
 for(i=0;i<10;i++) for(j=0;j<12;j++) if(a[i][j]!=((i>=2&&i<7&&j>=3&&j<7)?11:1)) e=1;
#pragma xmp array on t[:][:]
 b[:][:] = a[:][:]*2;
#pragma xmp array on t[0:5:2][:]
 b[0:5:2][:] = -1;
#pragma xmp loop on t[i][j]
 for(i=0;i<10;i++) for(j=0;j<12;j++) if(b[i][j]!=(i%2==0?-1:2*a[i][j])) e=2;
#pragma xmp reflect (b) width(/periodic/2:1,0)
#pragma xmp reflect (a) width(0:1,0)
#pragma xmp loop on t[i][*]
 for(i=0;i<9;i++) if(a[i+1][5]!=((i+1>=2&&i+1<7)?11:1)) e=3;
#pragma xmp loop on t[i][*]
 for(i=0;i<10;i++) { int q=(i+8)%10; if(b[i-2][4]!=(q%2==0?-1:2*((q>=2&&q<7)?11:1))) e=4; }
#pragma xmp loop on t[i][:]
 for(i=0;i<10;i++) { s[:]=a[i][:]; for(j=0;j<12;j++) if(s[j]!=a[i][j]) e=5; a[i][0:6]=a[i][6:6]; a[i][6:6]+=3; }
#pragma xmp reduction(max:e)
 if(e) printf("ERROR %d\n",e);
 return e;
}
