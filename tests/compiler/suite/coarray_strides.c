// SPDX-License-Identifier: Apache-2.0
// Three and four dimensions, steps on both sides, an image with itself.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int a3[4][5][6]:[*]; double a4[3][4][5][6]:[*]; int b3[4][5][6]; double b4[3][4][5][6];
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), r=(me+1)%n, l=(me+n-1)%n;
 for(int i=0;i<4;i++)for(int j=0;j<5;j++)for(int k=0;k<6;k++){a3[i][j][k]=-1;b3[i][j][k]=1000*me+100*i+10*j+k;}
 for(int h=0;h<3;h++)for(int i=0;i<4;i++)for(int j=0;j<5;j++)for(int k=0;k<6;k++){a4[h][i][j][k]=-1;b4[h][i][j][k]=10000*me+1000*h+100*i+10*j+k;}
 xmp_sync_all(NULL);
 a3[0:2:2][1:3][0:3:2]:[r]=b3[1:2][0:3:2][1:3];
 a4[:][1:2:2][4:5:-1][2]:[r]=b4[:][0:2][0:5][5];
 xmp_sync_all(NULL);
 for(int i=0;i<2;i++)for(int j=0;j<3;j++)for(int k=0;k<3;k++) CK(a3[2*i][1+j][2*k]==1000*l+100*(1+i)+10*(2*j)+1+k);
 CK(a3[1][1][0]==-1&&a3[0][0][0]==-1&&a3[0][1][1]==-1);
 for(int h=0;h<3;h++)for(int i=0;i<2;i++)for(int j=0;j<5;j++) CK(a4[h][1+2*i][4-j][2]==10000*l+1000*h+100*i+10*j+5);
 CK(a4[0][0][0][2]==-1);
 xmp_sync_all(NULL);
 b3[:][:][:]=a3[:][:][:]:[me]; CK(b3[0][1][2]==a3[0][1][2]);
 b4[2][3][:][:]=a4[1][3][:][:]:[l]; for(int j=0;j<5;j++) CK(b4[2][3][4-j][2]==10000*((l+n-1)%n)+1000+100+10*j+5);
 a3[3][:][:]:[me]=a3[0][:][:]:[me]; CK(a3[3][1][0]==a3[0][1][0]);
 a3[0][0:4][0]=a3[0][1:4][0]:[me]; 
 xmp_sync_all(NULL);
 return bad; }
