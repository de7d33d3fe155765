#version 460
// Reads a texel of a texture of the heap that differs from invocation to invocation, and marks it in
// a storage image of the heap.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 1, rgba8) uniform image2D images[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(set = 0, binding = 0, std430) readonly buffer Indices
{
    uint indices[64];
};
layout(set = 0, binding = 1, std430) writeonly buffer Results
{
    uint results[64];
};
layout(push_constant) uniform Root
{
    uint nearest;
    uint image;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    const vec4 texel = textureLod(
        nonuniformEXT(sampler2D(textures[indices[i]], samplers[root.nearest])), vec2(0.5), 0);
    results[i] = packUnorm4x8(texel);
    imageStore(images[root.image], ivec2(i, 0), texel.wzyx);
}
