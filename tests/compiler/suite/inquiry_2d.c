/* SPDX-License-Identifier: Apache-2.0 */
/* RANKS: 4 8 16 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
#define CHECK(x) if(!(x)) { printf("ERROR line %d node %d\n",__LINE__,xmp_node_num()); err=1; }
#pragma xmp nodes p(4,*)
#pragma xmp nodes q(2,2)=p(1:4,1)
#pragma xmp nodes l(*)
#pragma xmp nodes s(2)=l(2:3)
#pragma xmp template t(1:40,0:29)
#pragma xmp template g(100)
#pragma xmp distribute t(block,cyclic(3)) onto p
int w[16];
#pragma xmp template h(:)
#pragma xmp distribute h(gblock(*)) onto l
#pragma xmp distribute g(block) onto l
double a[30][40]; int b[40]; int *dyn;
#pragma xmp align a[j][i] with t(i+1,j)
#pragma xmp align b[i] with t(i+1,*)
#pragma xmp align dyn[i] with h(i)
#pragma xmp shadow a[0][1:2]
int main(void){
 int err=0,v,i; xmp_desc_t d; int lb[4],ub[4],st[4];
 int n=xmp_num_nodes();
 CHECK(xmp_nodes_ndims(xmp_desc_of(p),&v)==0&&v==2);
 CHECK(xmp_nodes_size(xmp_desc_of(p),1,&v)==0&&v==4);
 CHECK(xmp_nodes_size(xmp_desc_of(p),2,&v)==0&&v==n/4);
 CHECK(xmp_nodes_index(xmp_desc_of(p),1,&v)==0&&v==(xmp_node_num()-1)%4+1);
 CHECK(xmp_nodes_index(xmp_desc_of(p),2,&v)==0&&v==(xmp_node_num()-1)/4+1);
 CHECK(xmp_nodes_attr(xmp_desc_of(p),&v)==0&&v==XMP_ENTIRE_NODES);
 CHECK(xmp_nodes_attr(xmp_desc_of(s),&v)==0&&v==XMP_EQUIVALENCE_NODES);
 CHECK(xmp_nodes_equiv(xmp_desc_of(s),&d,lb,ub,st)==0&&lb[0]==2&&ub[0]==3&&st[0]==1);
 CHECK(xmp_nodes_ndims(d,&v)==0&&v==1);
 CHECK(xmp_template_fixed(xmp_desc_of(h),&v)==0&&v==0);
 CHECK(xmp_template_fixed(xmp_desc_of(t),&v)==0&&v==1);
 CHECK(xmp_template_ndims(xmp_desc_of(t),&v)==0&&v==2);
 CHECK(xmp_template_lbound(xmp_desc_of(t),1,&v)==0&&v==1);
 CHECK(xmp_template_ubound(xmp_desc_of(t),1,&v)==0&&v==40);
 CHECK(xmp_template_lbound(xmp_desc_of(t),2,&v)==0&&v==0);
 CHECK(xmp_template_ubound(xmp_desc_of(t),2,&v)==0&&v==29);
 CHECK(xmp_template_lbound(xmp_desc_of(g),1,&v)==0&&v==1);
 CHECK(xmp_dist_format(xmp_desc_of(t),1,&v)==0&&v==XMP_BLOCK);
 CHECK(xmp_dist_format(xmp_desc_of(t),2,&v)==0&&v==XMP_CYCLIC);
 CHECK(xmp_dist_blocksize(xmp_desc_of(t),1,&v)==0&&v==10);
 CHECK(xmp_dist_blocksize(xmp_desc_of(t),2,&v)==0&&v==3);
 CHECK(xmp_dist_nodes(xmp_desc_of(t),&d)==0);
 CHECK(xmp_nodes_ndims(d,&v)==0&&v==2);
 CHECK(xmp_dist_axis(xmp_desc_of(t),2,&v)==0&&v==2);
 for(i=0;i<n;i++) w[i]=i+1;
#pragma xmp template_fix(gblock(w)) h(0:n*(n+1)/2-1)
 dyn=(int*)xmp_malloc(xmp_desc_of(dyn),n*(n+1)/2);
 CHECK(xmp_template_fixed(xmp_desc_of(h),&v)==0&&v==1);
 int map[16];
 CHECK(xmp_dist_gblockmap(xmp_desc_of(h),1,map)==0&&map[0]==1&&map[n-1]==n);
 CHECK(xmp_dist_format(xmp_desc_of(h),1,&v)==0&&v==XMP_GBLOCK);
 CHECK(xmp_array_ndims(xmp_desc_of(a),&v)==0&&v==2);
 CHECK(xmp_array_lshadow(xmp_desc_of(a),2,&v)==0&&v==1);
 CHECK(xmp_array_ushadow(xmp_desc_of(a),2,&v)==0&&v==2);
 CHECK(xmp_array_ushadow(xmp_desc_of(a),1,&v)==0&&v==0);
 CHECK(xmp_array_lbound(xmp_desc_of(a),1,&v)==0&&v==0);
 CHECK(xmp_array_ubound(xmp_desc_of(a),1,&v)==0&&v==29);
 CHECK(xmp_array_ubound(xmp_desc_of(a),2,&v)==0&&v==39);
 CHECK(xmp_align_axis(xmp_desc_of(a),1,&v)==0&&v==2);
 CHECK(xmp_align_axis(xmp_desc_of(a),2,&v)==0&&v==1);
 CHECK(xmp_align_offset(xmp_desc_of(a),2,&v)==0&&v==1);
 CHECK(xmp_align_offset(xmp_desc_of(a),1,&v)==0&&v==0);
 CHECK(xmp_align_replicated(xmp_desc_of(b),2,&v)==0&&v==1);
 CHECK(xmp_align_replicated(xmp_desc_of(a),2,&v)==0&&v==0);
 CHECK(xmp_align_template(xmp_desc_of(a),&d)==0);
 CHECK(xmp_template_ndims(d,&v)==0&&v==2);
 CHECK(xmp_array_lsize(xmp_desc_of(a),2,&v)==0&&v==10);
 CHECK(xmp_array_lsize(xmp_desc_of(dyn),1,&v)==0&&v==xmp_node_num());
 void*ad; CHECK(xmp_array_laddr(xmp_desc_of(a),&ad)==0&&ad!=NULL);
 CHECK(xmp_array_lda(xmp_desc_of(a),&v)==0&&v==13);
 int ext[2]; CHECK(xmp_array_lead_dim(xmp_desc_of(a),ext)==0&&ext[1]==13); xmp_array_lsize(xmp_desc_of(a),1,&v); CHECK(ext[0]==v);
 CHECK(xmp_array_lead_dim(xmp_desc_of(dyn),ext)==0&&ext[0]==xmp_node_num()); CHECK(xmp_array_lead_dim(xmp_desc_of(t),ext)!=0);
 int gi[2],li[2]; int me=(xmp_node_num()-1)%4, row=(xmp_node_num()-1)/4;
 gi[0]=row*3+1; gi[1]=me*10+4;
 CHECK(xmp_array_gtol(xmp_desc_of(a),gi,li)==0&&li[0]==1&&(li[1]==5));
#pragma xmp reduction(max:err)
 return err;
}
