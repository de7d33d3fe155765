#version 460

layout(set = 1, binding = 0) uniform sampler2D images[4];
layout(location = 0) out vec4 color;

void main()
{
    color = texture(images[3], vec2(0.5));
}
