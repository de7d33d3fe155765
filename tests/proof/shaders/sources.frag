#version 460
// Both colors from textures of the target's size.
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform texture2D first;
layout(set = 0, binding = 1) uniform texture2D second;
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 other;

void main()
{
    const ivec2 at = ivec2(gl_FragCoord.xy);
    color = texelFetch(first, at, 0);
    other = texelFetch(second, at, 0);
}
