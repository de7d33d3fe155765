#version 460
// The level of detail that a sample would have, in textures that are not 2D: `color` is as in
// implicit_kinds.frag.
layout(set = 0, binding = 0) uniform sampler smp;
layout(set = 0, binding = 1) uniform texture1D line;
layout(set = 0, binding = 2) uniform texture2DArray array;
layout(set = 0, binding = 3) uniform texture3D volume;
layout(set = 0, binding = 4) uniform textureCube cube;
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

layout(location = 0) out vec4 color;

void main()
{
    const vec2 at = gl_FragCoord.xy * root.color.xy;
    vec2 lod;
    switch (int(root.color.z)) {
    case 0:
        lod = textureQueryLod(sampler1D(line, smp), at.x);
        break;
    case 1:
        lod = textureQueryLod(sampler2DArray(array, smp), at);
        break;
    case 2:
        lod = textureQueryLod(sampler3D(volume, smp), vec3(0.5, 0.5, at.x));
        break;
    default:
        lod = textureQueryLod(samplerCube(cube, smp), vec3(1, at.y, at.x));
    }
    color = vec4(lod, 0, 1);
}
