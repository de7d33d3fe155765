#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture2D tex;
layout(set = 0, binding = 3) uniform samplerShadow smp;

vec4 probe(vec4 at, vec4 more)
{
    if (root.op == LOD)
        return vec4(textureLod(sampler2DShadow(tex, smp), vec3(at.xy, more.x), at.w));
    return textureGather(sampler2DShadow(tex, smp), at.xy, more.x);
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
