#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 1, rgba8) uniform image2D images[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(set = 0, binding = 0) buffer Words
{
    uint word[4];
};
layout(push_constant) uniform Root
{
    uint first_texture;
    uint image;
    uint nearest;
};

void main()
{
    const uint i = gl_LocalInvocationID.x;
    const uint which = first_texture + i % 2;
    const vec4 texel = textureLod(
        nonuniformEXT(sampler2D(textures[which], samplers[nearest])), vec2(i / 2 * 0.5 + 0.25), 0);
    word[i] = packUnorm4x8(texel);
    imageStore(images[image], ivec2(i, 0), texel.wzyx);
}
