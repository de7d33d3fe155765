#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture2DArray tex;
layout(set = 0, binding = 3) uniform sampler smp;

vec4 probe(vec4 at, vec4 more)
{
    switch (root.op) {
    case LOD:
        return textureLod(sampler2DArray(tex, smp), at.xyz, at.w);
    case FETCH:
        return texelFetch(tex, ivec3(at.xyz), int(at.w));
    default:
        return vec4(textureSize(tex, int(at.w)), textureQueryLevels(tex));
    }
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
