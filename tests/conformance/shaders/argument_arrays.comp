#version 460
// Arrays of resources in a table, one index for all invocations.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) uniform sampler2D combined[4];
layout(set = 0, binding = 1) uniform texture2D textures[4];
layout(set = 0, binding = 2) uniform sampler samplers[2];
layout(set = 0, binding = 3) uniform Block
{
    uint value;
} blocks[3];
layout(set = 0, binding = 4, std430) buffer Words
{
    uint words[4];
} buffers[3];
layout(push_constant) uniform Root
{
    uint index;
} root;

void main()
{
    const uint i = root.index;
    const vec2 at = vec2(1.25, 0.5);
    buffers[i % 3].words[0] = packUnorm4x8(textureLod(combined[i], at, 0));
    buffers[i % 3].words[1] = packUnorm4x8(textureLod(sampler2D(textures[i], samplers[0]), at, 0));
    buffers[i % 3].words[2] = packUnorm4x8(textureLod(sampler2D(textures[i], samplers[1]), at, 0));
    buffers[i % 3].words[3] = blocks[i % 3].value;
}
