// SPDX-License-Identifier: Apache-2.0
// Other widths, macros, compound assignments.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#include <stdint.h>
int8_t i8[7]:[*]; uint16_t u16:[*]; int64_t i64[2][2]:[*]; unsigned char bytes[33]:[*]; enum col { R, G, B }; int e_:[*]; char *name_of(int k){ static char b[9]; sprintf(b,"im%d",k); return b; }
char msg[16]:[*];
#define ON(x,k) ((x):[k])
#define NEXT(x) x:[(me+1)%n]
int main(void){ int me=xmpc_this_image(), n=xmp_num_images(), l=(me+n-1)%n;
 NEXT(u16)=(uint16_t)(65535-me); NEXT(i8[3])=(int8_t)-me; i64[1][0]:[(me+1)%n]=INT64_C(1)<<(40+me); e_:[(me+1)%n]=me%2?G:B;
 bytes[1:32:1]:[(me+1)%n]=(unsigned char)(me+1);
 strcpy(msg,name_of(me)); xmp_sync_all(NULL);
 CK(u16==65535-l&&i8[3]==-l&&i64[1][0]==INT64_C(1)<<(40+l)&&e_==(l%2?G:B)&&bytes[32]==l+1&&bytes[0]==0);
 char got[16]; got[:]=msg[:]:[l]; CK(!strcmp(got,name_of(l)));
 const int first=u16:[(me+1)%n], second[2]={ON(u16,0),u16:[n-1]+0}; CK(first==65535-me&&second[0]==65535-(n-1));
 long s=0; for(int k=0;k<n;k++) s+=(k%2?i64[1][0]:[k]:-i64[1][0]:[k]); CK(s!=0);
    xmp_sync_all(NULL); // others have read it
 u16:[me]|=1; CK(u16&1); --i8[3]:[me]; CK(i8[3]==-l-1); i64[0][1]:[me]<<=2; i64[0][0]=i64[0][1]=5; CK(i64[0][0]:[me]==5);
 xmp_sync_all(NULL);
 return bad; }
