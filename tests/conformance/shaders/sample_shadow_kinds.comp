#version 460
// Comparisons in arrays and cubes: x is of the array, y of the cube, z of a gather in the array of
// cubes.
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform textureCubeArray tex;
layout(set = 0, binding = 3) uniform samplerShadow smp;
layout(set = 0, binding = 4) uniform texture2DArray layers;
layout(set = 0, binding = 5) uniform textureCube cube;

vec4 probe(vec4 at, vec4 more)
{
    const vec4 layer = vec4(0.5, 0.5, more.x, more.y), face = vec4(at.xyz, more.y);
    return vec4(textureGrad(sampler2DArrayShadow(layers, smp), layer, vec2(0), vec2(0)),
                textureGrad(samplerCubeShadow(cube, smp), face, vec3(0), vec3(0)),
                textureGather(samplerCubeArrayShadow(tex, smp), at, more.y).x, 1);
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
