/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xmp.h>
#include <xmp_io.h>
#define N 13
#define M 7
#define CK(c) do { if(!(c)) { fprintf(stderr,"ERROR line %d node %d: %s\n",__LINE__,xmp_all_node_num(),#c); bad=1; } } while(0)
#pragma xmp nodes p[*]
#pragma xmp template t[N][M]
#pragma xmp template c[M][N]
#pragma xmp template k[N]
#pragma xmp distribute t[block][*] onto p
#pragma xmp distribute c[*][cyclic] onto p
#pragma xmp distribute k[cyclic(2)] onto p
int a[N][M], b[N][M]; double v[N]; short rep[M];
#pragma xmp align a[i][j] with t[i][j]
#pragma xmp align b[i][j] with c[j][i]
#pragma xmp align v[i] with k[i]
#pragma xmp align rep[j] with t[*][j]
#pragma xmp shadow a[1][0]
int main(void){
 int i,j,bad=0,n=xmp_num_nodes(),me=xmpc_node_num(); char name[64]="/tmp/sode-files-XXXXXX"; xmp_file_t*f; xmp_range_t*r;
 if(me==0) close(mkstemp(name));
#pragma xmp bcast(name) from p[0]
 CK(xmp_fopen_all("/nonexistent/directory/file","w")==NULL);
 CK(xmp_fopen_all(name,"x")==NULL);
#pragma xmp loop (i,j) on t[i][j]
 for(i=0;i<N;i++) for(j=0;j<M;j++) a[i][j]=i*100+j;
#pragma xmp loop (i) on k[i]
 for(i=0;i<N;i++) v[i]=i*0.5;
#pragma xmp loop (j) on t[*][j]
 for(j=0;j<M;j++) rep[j]=-j;
 /* whole arrays, one behind another */
 f=xmp_fopen_all(name,"w"); CK(f!=NULL);
 CK(xmp_fwrite_darray_all(f,xmp_desc_of(a),NULL)==sizeof a);
 CK(xmp_fwrite_darray_all(f,xmp_desc_of(v),NULL)==sizeof v);
 CK(xmp_fwrite_darray_all(f,xmp_desc_of(rep),NULL)==sizeof(rep));
 CK(xmp_ftell(f)==(long long)(sizeof a+sizeof v+sizeof(rep)));
 CK(xmp_file_sync_all(f)==0);
 CK(xmp_fclose_all(f)==0);
 { FILE*s=fopen(name,"r"); int w[N][M]; double d[N]; short h[M]; CK(fread(w,1,sizeof w,s)==sizeof w&&fread(d,1,sizeof d,s)==sizeof d&&fread(h,1,sizeof h,s)==sizeof h&&fgetc(s)==EOF); fclose(s);
   for(i=0;i<N;i++) { CK(d[i]==i*.5); for(j=0;j<M;j++) CK(w[i][j]==i*100+j); } for(j=0;j<M;j++) CK(h[j]==-j); }
 /* another mapping, parts */
 f=xmp_fopen_all(name,"r"); CK(f!=NULL);
 CK(xmp_fread_darray_all(f,xmp_desc_of(b),NULL)==sizeof b);
 CK(xmp_fread_darray_all(f,xmp_desc_of(v),NULL)==sizeof v);
#pragma xmp loop (i,j) on c[j][i]
 for(i=0;i<N;i++) for(j=0;j<M;j++) { CK(b[i][j]==i*100+j); b[i][j]=0; }
 r=xmp_allocate_range(2); xmp_set_range(r,1,2,3,4); xmp_set_range(r,2,1,5,1);
 CK(xmp_fseek(f,4,SEEK_SET)==0);
 CK(xmp_fread_darray_all(f,xmp_desc_of(b),r)==15*sizeof(int));
 CK(xmp_ftell(f)==4+60);
#pragma xmp loop (i,j) on c[j][i]
 for(i=0;i<N;i++) for(j=0;j<M;j++) { int in=i>=2&&i<=10&&(i-2)%4==0&&j>=1&&j<6, e=(i-2)/4*5+j-1+1; CK(b[i][j]==(in?e/M*100+e%M:0)); }
 CK(xmp_fseek(f,0,SEEK_END)==0); CK(xmp_ftell(f)==(long long)(sizeof a+sizeof v+sizeof(rep)));
 CK(xmp_fread_darray_all(f,xmp_desc_of(b),r)==(size_t)-1);
 CK(xmp_fseek(f,-1,SEEK_SET)!=0);
 xmp_free_range(r);
 CK(xmp_fclose_all(f)==0);
 /* each node its own part, shared positions */
 f=xmp_fopen_all(name,"w+");
 int mine[3]={me,me*2,me*3}, got[3];
 CK(xmp_fseek(f,12LL*me,SEEK_SET)==0);
 CK(xmp_fwrite_all(f,mine,sizeof(int),3)==12);
 CK(xmp_file_sync_all(f)==0);
 CK(xmp_fseek(f,12LL*((me+1)%n),SEEK_SET)==0);
 CK(xmp_fread_all(f,got,sizeof(int),3)==12); CK(got[2]==(me+1)%n*3);
 CK(xmp_fseek(f,-8,SEEK_CUR)==0); CK(xmp_fread(f,got,4,1)==4); CK(got[0]==(me+1)%n*2);
 CK(xmp_fseek_shared(f,0,SEEK_SET)==0);
 xmp_barrier();
 CK(xmp_fread_shared(f,got,4,3)==12); int s=got[2];
#pragma xmp reduction(+:s)
 CK(s==3*n*(n-1)/2); CK(xmp_ftell_shared(f)==12*n);
 xmp_barrier();
 CK(xmp_fwrite_shared(f,mine,4,2)==8);
 xmp_barrier();
 CK(xmp_ftell_shared(f)==20*n);
 xmp_fclose_all(f);
 /* views */
 f=xmp_fopen_all(name,"r+"); CK(f!=NULL);
 CK(xmp_file_set_view_all(f,16,xmp_desc_of(v),NULL)==0);
 { double part[N]; int ls; xmp_array_lsize(xmp_desc_of(v),1,&ls); for(i=0;i<ls;i++) part[i]=me*1000+i;
   CK(xmp_fwrite_all(f,part,sizeof(double),ls)==ls*sizeof(double));
   xmp_file_sync_all(f);
   CK(xmp_fseek(f,0,SEEK_SET)==0);
   double back[N]; CK(xmp_fread_all(f,back,sizeof(double),1)==(ls>0?8:0)); if(ls>0) CK(back[0]==me*1000);
   CK(xmp_fread_all(f,back,sizeof(double),ls>0?ls-1:0)==(ls>0?(ls-1)*sizeof(double):0)); if(ls>1) CK(back[ls-2]==me*1000+ls-1); }
 CK(xmp_file_clear_view_all(f,16)==0);
 CK(xmp_ftell(f)==16);
 CK(xmp_fread_darray_all(f,xmp_desc_of(v),NULL)==sizeof v);
 { double all[N];
#pragma xmp gmove
   all[:]=v[:];
   for(i=0;i<N;i++) { int o=i/2%n, q=i/2/n*2+i%2; CK(all[i]==o*1000+q); } }
 CK(xmp_fclose_all(f)==0);
 f=xmp_fopen_all(name,"a"); CK(f!=NULL&&xmp_ftell(f)==(16+(long long)sizeof v>20*n?16+(long long)sizeof v:20LL*n)); xmp_fclose_all(f);
 /* in a task */
#pragma xmp task on p[0]
 { f=xmp_fopen_all(name,"w"); CK(f&&xmp_fwrite(f,"abc",1,3)==3); CK(xmp_fclose_all(f)==0); }
#pragma xmp barrier
 f=xmp_fopen_all(name,"r"); { char w[4]=""; CK(xmp_fread_all(f,w,1,4)==3&&!strcmp(w,"abc")); } xmp_fclose_all(f);
 if(me==0) unlink(name);
#pragma xmp reduction(max:bad)
 return bad;
}
