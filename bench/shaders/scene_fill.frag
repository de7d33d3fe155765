#version 460

layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(at, 0.5, 0.25);
}
