#version 460
// Every texel as a float vector.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2D tex;
layout(set = 0, binding = 1, std430) writeonly buffer Texels
{
    vec4 texels[];
};

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const ivec2 size = textureSize(tex, 0);
    if (i < uint(size.x * size.y))
        texels[i] = texelFetch(tex, ivec2(i % uint(size.x), i / uint(size.x)), 0);
}
