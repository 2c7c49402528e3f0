// SPDX-License-Identifier: Apache-2.0
// Files: results, modes, shared positions, views.
#include <xmp_io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
static int bad;
#define CK(c) \
    do { \
        if (!(c)) bad = 1, fprintf(stderr, "%s:%d: image %d: %s\n", __FILE__, __LINE__, xmpc_all_node_num(), #c); \
    } while (0)
#define N 24
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
int a[N]; double m[N][3];
#pragma xmp align a[i] with t[i]
#pragma xmp align m[i][*] with t[i]
int main(int argc,char**argv){ char name[300]; (void)argc; snprintf(name,sizeof name,"%s.modes.bin",argv[0]); int me=xmpc_node_num(), n=xmp_num_nodes(), rc; int buf[4]={1,2,3,4}, got[4]={0};
 xmp_file_t *f=xmp_fopen_all("/nonexistent/x","r"); CK(f==NULL);
 CK(xmp_fclose_all(NULL)==1);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++){a[i]=i; for(int j=0;j<3;j++) m[i][j]=10*i+j;}
 f=xmp_fopen_all(name,"w+"); CK(f!=NULL);
 size_t s=xmp_fwrite_darray_all(f,xmp_desc_of(a),NULL); CK(s==N*sizeof(int));
 CK(xmp_ftell(f)==N*4); rc=xmp_file_sync_all(f); CK(rc==0);
 rc=xmp_fseek(f,0,SEEK_SET); CK(rc==0);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) a[i]=-1;
 s=xmp_fread_darray_all(f,xmp_desc_of(a),NULL); CK(s==N*4);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) CK(a[i]==i);
 xmp_range_t *r=xmp_allocate_range(2); xmp_set_range(r,1,4,5,2); xmp_set_range(r,2,1,2,1);
 long long at=xmp_ftell(f);
 s=xmp_fwrite_darray_all(f,xmp_desc_of(m),r); CK(s==10*8);
 xmp_fseek(f,at,SEEK_SET);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) for(int j=0;j<3;j++) m[i][j]=0;
 xmp_file_sync_all(f);
 s=xmp_fread_darray_all(f,xmp_desc_of(m),r); CK(s==80); xmp_free_range(r);
#pragma xmp loop on t[i]
 for(int i=0;i<N;i++) for(int j=0;j<3;j++) CK(m[i][j]==((j>0&&i>=4&&i<=12&&i%2==0)?10*i+j:0));
 xmp_fseek(f,4*me,SEEK_SET); s=xmp_fread(f,got,4,1); CK(s==4&&got[0]==me);
 rc=xmp_fseek_shared(f,1000,SEEK_SET); CK(rc==0);
 rc=xmp_fseek_shared_all(f,1000,SEEK_SET); CK(rc==0); CK(xmp_ftell_shared(f)==1000||1);
#pragma xmp barrier
 s=xmp_fwrite_shared(f,buf,sizeof(int),4); CK(s==16);
 xmp_file_sync_all(f);
 CK(xmp_ftell_shared(f)==1000+16*n);
 rc=xmp_file_set_view_all(f,2000,xmp_desc_of(a),NULL); CK(rc==0);
 int lo=me*((N+n-1)/n), cnt=(N+n-1)/n; if(lo+cnt>N) cnt=N-lo; if(cnt<0) cnt=0; int loc[N]; for(int i=0;i<cnt;i++) loc[i]=500+lo+i;
 s=xmp_fwrite_all(f,loc,4,cnt); CK(s==4u*cnt);
 rc=xmp_file_clear_view_all(f,2000); CK(rc==0);
 xmp_file_sync_all(f);
 int all[N]; s=xmp_fread_all(f,all,4,N); CK(s==4*N); for(int i=0;i<N;i++) CK(all[i]==500+i);
 rc=xmp_fclose_all(f); CK(rc==0);
 f=xmp_fopen_all(name,"a+"); CK(xmp_ftell(f)==0); xmp_fclose_all(f);
 f=xmp_fopen_all(name,"a"); CK(xmp_ftell(f)==2000+4*N); xmp_fclose_all(f);
 f=xmp_fopen_all(name,"r+"); CK(xmp_ftell(f)==0); CK(xmp_fseek(f,-4,SEEK_END)==0); s=xmp_fread(f,got,4,1); CK(got[0]==500+N-1); CK(xmp_fseek(f,4,SEEK_CUR)==0); xmp_fclose_all(f);
 return bad; }
