#version 460
#extension GL_GOOGLE_include_directive : require
#define RESULT vec4
#include "probe.glsl"

layout(set = 0, binding = 2) uniform texture3D volume;
layout(set = 0, binding = 3) uniform sampler smp;
layout(set = 0, binding = 4) uniform texture2DArray layers;
layout(set = 0, binding = 5) uniform textureCube cube;

// Gradients, offsets and projections where a texture is not 2D. `more` is a gradient along x of the
// screen, its last component one along y of the first coordinate.
vec4 probe(vec4 at, vec4 more)
{
    const vec3 ddx = more.xyz, ddy = vec3(more.w, 0, 0);
    switch (root.op) {
    case 0:
        return textureGrad(sampler3D(volume, smp), at.xyz, ddx, ddy);
    case 1:
        return textureGrad(sampler2DArray(layers, smp), at.xyz, ddx.xy, ddy.xy);
    case 2:
        return textureGrad(samplerCube(cube, smp), at.xyz, ddx, ddy);
    case 3:
        return textureLodOffset(sampler3D(volume, smp), at.xyz, at.w, ivec3(1, -2, 3));
    case 4:
        return textureGradOffset(sampler2DArray(layers, smp), at.xyz, ddx.xy, ddy.xy, ivec2(-1, 2));
    case 5:
        return texelFetchOffset(volume, ivec3(at.xyz), int(at.w), ivec3(2, 1, -1));
    case 6:
        return texelFetchOffset(layers, ivec3(at.xyz), int(at.w), ivec2(-1, 1));
    case 7:
        return textureProjLod(sampler3D(volume, smp), vec4(at.xyz * 4, 4), at.w);
    case 8:
        return textureProjGrad(sampler3D(volume, smp), vec4(at.xyz * 0.5, 0.5), ddx, ddy);
    default:
        return textureGather(sampler2DArray(layers, smp), at.xyz, 2);
    }
}

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i < root.count)
        results[i] = probe(probes[i].at, probes[i].more);
}
