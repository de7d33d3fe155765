#version 460
// Has the heap among its resources, and reads it only where it is told to.
layout(local_size_x = 1) in;
layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(set = 0, binding = 0, std430) writeonly buffer Results
{
    uint result;
};
layout(push_constant) uniform Root
{
    uint read;
} root;

void main()
{
    uint texel = 7u;
    if (root.read != 0u)
        texel = packUnorm4x8(textureLod(sampler2D(textures[0], samplers[0]), vec2(0.5), 0));
    result = texel;
}
