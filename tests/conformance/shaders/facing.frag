#version 460
layout(location = 0) in vec4 in_color;
layout(location = 0) out vec4 color;

void main()
{
    color = gl_FrontFacing ? in_color : vec4(1, 0, 0, 1);
}
