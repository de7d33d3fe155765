#version 460
#extension GL_EXT_samplerless_texture_functions : require
// The texel at the same place, times the root's color.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(set = 0, binding = 0) uniform texture2D source;
layout(location = 0) out vec4 color;

void main()
{
    color = texelFetch(source, ivec2(gl_FragCoord.xy), 0) * root.color;
}
