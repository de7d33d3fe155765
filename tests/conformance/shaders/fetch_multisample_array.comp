#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture2DMSArray tex;

vec4 probe(vec4 at, vec4 more)
{
    if (root.op == FETCH)
        return texelFetch(tex, ivec3(at.xyz), int(more.x));
    return vec4(textureSize(tex), textureSamples(tex));
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
