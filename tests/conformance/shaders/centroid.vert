#version 460
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) centroid out vec4 inside;
layout(location = 1) out vec4 middle;

void main()
{
    gl_Position = position;
    inside = color;
    middle = color;
}
