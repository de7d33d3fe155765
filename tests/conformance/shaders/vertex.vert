#version 460
// A vertex with a color. Two passes of the same vertices give the same depth.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 out_color;
invariant gl_Position;

void main()
{
    gl_Position = position;
    gl_PointSize = 1;
    out_color = color;
}
