#version 460
// Operations on a 2D texture of integers.
#extension GL_GOOGLE_include_directive : require
#define RESULT uvec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform utexture2D tex;
layout(set = 0, binding = 3) uniform sampler smp;

uvec4 probe(vec4 at, vec4 more)
{
    if (root.op == LOD)
        return textureLod(usampler2D(tex, smp), at.xy, at.w);
    if (root.op == GATHER)
        return textureGather(usampler2D(tex, smp), at.xy, 0);
    return textureGather(usampler2D(tex, smp), at.xy, 1);
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
