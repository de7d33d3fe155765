#version 460
// Texel i of the top row, and what a linear sampler finds between all, are the color of rectangle i.
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform texture2D tex;
layout(set = 0, binding = 1) uniform sampler smp;
layout(location = 0) flat out vec4 shade;

void main()
{
    const int width = textureSize(tex, 0).x;
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    const float left = 2.0 * gl_InstanceIndex / (width + 1) - 1;
    shade = gl_InstanceIndex < width ? texelFetch(tex, ivec2(gl_InstanceIndex, 0), 0)
                                     : textureLod(sampler2D(tex, smp), vec2(0.5), 0);
    gl_Position = vec4((corner & 1u) == 0u ? left : left + 2.0 / (width + 1),
                       (corner & 2u) == 0u ? 1 : -1, 0, 1);
}
