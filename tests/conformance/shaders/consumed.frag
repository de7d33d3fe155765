#version 460
// Red from a vertex, green from a texture, blue from a buffer.
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0, std430) readonly buffer Words
{
    uint words[];
};
layout(set = 0, binding = 1) uniform texture2D image;
layout(location = 0) in vec4 in_color;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(in_color.r, texelFetch(image, ivec2(0), 0).g, float(words[0]) / 255, 1);
}
