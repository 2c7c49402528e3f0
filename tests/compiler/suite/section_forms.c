// SPDX-License-Identifier: Apache-2.0
// All forms of a triplet, with and without images.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
int A[100], B[100]; int C[10][10], D[10][10];
int X[100]:[*];
int main(void){
  for(int i=0;i<100;i++){A[i]=i;B[i]=-1;}
  B[10:]=A[10:]; CK(B[9]==-1&&B[10]==10&&B[99]==99);
  B[:10]=A[20:10]; CK(B[0]==20&&B[9]==29&&B[10]==10);
  B[:]=0; CK(B[50]==0);
  B[10:5:2]=A[0:5]; CK(B[10]==0&&B[12]==1&&B[18]==4&&B[19]==0);
  B[::2]=7; CK(B[0]==7&&B[98]==7&&B[99]==0);
  B[1::2]=8; CK(B[1]==8&&B[99]==8);
  B[:5:3]=9; CK(B[0]==9&&B[3]==9&&B[12]==9&&B[15]==8);
  B[9:5:-1]=A[0:5]; CK(B[9]==0&&B[5]==4);
  for(int i=0;i<10;i++)for(int j=0;j<10;j++)C[i][j]=10*i+j;
  D[:][3]=C[:][4]; CK(D[2][3]==24);
  D[1:2][:]=C[5:2][:]; CK(D[1][0]==50&&D[2][9]==69);
  D[:][:]=C[:][:]; CK(D[9][9]==99);
  int n=xmp_num_images(), me=xmpc_this_image();
  X[:]=me; xmp_sync_all(NULL);
  B[10:]=X[10:]:[(me+1)%n]; CK(B[99]==(me+1)%n);
  xmp_sync_all(NULL);
  X[5:]:[(me+1)%n]=A[5:]; xmp_sync_all(NULL); CK(X[99]==99&&X[4]==me);
  xmp_sync_all(NULL);
  X[:5]:[(me+1)%n]=A[50:5]; xmp_sync_all(NULL); CK(X[4]==54);
  return bad;
}
