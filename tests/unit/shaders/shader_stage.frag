#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(constant_id=3) const int N = 4; layout(constant_id=4) const bool flag = true; layout(constant_id=7) const float sc = 1.5;
const int M = N*2+1;
layout(location=0) in vec2 uv; layout(location=1) flat in uint id; layout(location=2) in vec3 n[2];
layout(location=0) out vec4 color;
layout(set=3,binding=0) uniform texture2D tex[]; layout(set=3,binding=2) uniform sampler smp[];
layout(set=1,binding=0) uniform sampler2D t0; layout(set=1,binding=1) uniform sampler2DShadow sh; layout(set=1,binding=2, rgba8) uniform writeonly image2D img; layout(set=1,binding=3, r32ui) uniform uimage2D cnt;
layout(set=1,binding=4) buffer S { uint n; vec4 data[]; } s;
float arr[M];
void main(){ for(int i=0;i<M;i++) arr[i]=float(i)*sc; vec4 c = texture(sampler2D(tex[nonuniformEXT(id)], smp[0]), uv); c += texture(t0, uv) + textureGather(t0, uv, 1) + texelFetch(t0, ivec2(uv), 0)+textureGrad(t0,uv,dFdx(uv),dFdy(uv)); c.x += texture(sh, vec3(uv,.5)); imageStore(img, ivec2(uv), c); uint v = imageAtomicAdd(cnt, ivec2(uv), 1u); atomicAdd(s.n, v); c += s.data[v % s.data.length()]; if (c.a < .1 && flag) discard; int e; c.x = frexp(c.x, e); float w; c.y = modf(c.y, w); c.z=ldexp(c.z,e)+length(n[0])+distance(n[0],n[1])+unpackHalf2x16(v).x+float(packUnorm4x8(c)); mat3 m = mat3(n[0],n[1],n[0]); m=inverse(transpose(m))*determinant(m)*outerProduct(n[0],n[1]); uint carry; uint u=uaddCarry(v,id,carry); c.xyz += m*n[0]+n[1]*m + float(bitfieldExtract(u,2,3)+bitCount(carry)+findMSB(u)); color = c + arr[int(id)] + textureSize(t0,0).xyxy + float(textureQueryLevels(t0))+ textureQueryLod(t0,uv).xyxy + interpolateAtCentroid(uv).xyxy; }
