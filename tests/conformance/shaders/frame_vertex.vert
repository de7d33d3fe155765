#version 460
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(location = 0) flat out vec4 shade;

void main()
{
    shade = color;
    gl_Position = vec4(position, 0, 1);
}
