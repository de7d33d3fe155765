#version 460

layout(set = 5, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(image, vec2(0.5));
}
