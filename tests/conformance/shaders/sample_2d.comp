#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture2D tex;
layout(set = 0, binding = 3) uniform sampler smp;

vec4 probe(vec4 at, vec4 more)
{
    switch (root.op) {
    case LOD:
        return textureLod(sampler2D(tex, smp), at.xy, at.w);
    case GRADIENT:
        return textureGrad(sampler2D(tex, smp), at.xy, more.xy, more.zw);
    case FETCH:
        return texelFetch(tex, ivec2(at.xy), int(at.w));
    case SIZE:
        return vec4(textureSize(tex, int(at.w)), textureQueryLevels(tex), 0);
    case OFFSET:
        return textureLodOffset(sampler2D(tex, smp), at.xy, at.w, ivec2(2, -3));
    case GATHER:
        return textureGather(sampler2D(tex, smp), at.xy, 0);
    case GATHER + 1:
        return textureGather(sampler2D(tex, smp), at.xy, 1);
    case GATHER + 2:
        return textureGather(sampler2D(tex, smp), at.xy, 2);
    default:
        return textureGather(sampler2D(tex, smp), at.xy, 3);
    }
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
