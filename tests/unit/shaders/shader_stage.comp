#version 460
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x_id=0, local_size_y=2) in;
layout(set=0,binding=0) buffer B { float x[]; } b; layout(set=0,binding=1) readonly buffer C { f16vec4 h[4]; uint64_t q[]; } c;
shared float tmp[64];
void main(){ uint i = gl_GlobalInvocationID.x; tmp[gl_LocalInvocationIndex] = b.x[i]; barrier(); memoryBarrierShared(); float s = subgroupAdd(tmp[i&63]); s = subgroupShuffle(s, 1u) + float(c.h[i&3].x) + float(c.q[i]); if (subgroupElect()) b.x[i] = s + float(subgroupBallot(s>1).x) + subgroupBroadcast(s, 0) + float(gl_WorkGroupSize.x); do { s = s*0.5; } while (s > 1); b.x[i+1]=s; }
