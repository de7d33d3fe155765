#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture2D tex;
layout(set = 0, binding = 3) uniform sampler smp;

const ivec2 corners[4] = ivec2[](ivec2(-2, -1), ivec2(1, -1), ivec2(0, 2), ivec2(3, 1));

// Gathers with offsets that the shader computes, or four of them, which not every device can.
vec4 probe(vec4 at, vec4 more)
{
    if (root.op == GATHER_OFFSET)
        return textureGatherOffset(sampler2D(tex, smp), at.xy, ivec2(more.xy), 0);
    return textureGatherOffsets(sampler2D(tex, smp), at.xy, corners, 0);
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
