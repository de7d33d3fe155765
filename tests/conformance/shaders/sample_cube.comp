#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform textureCube tex;
layout(set = 0, binding = 3) uniform sampler smp;

vec4 probe(vec4 at, vec4 more)
{
    if (root.op == LOD)
        return textureLod(samplerCube(tex, smp), at.xyz, at.w);
    return vec4(textureSize(tex, int(at.w)), textureQueryLevels(tex), 0);
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
