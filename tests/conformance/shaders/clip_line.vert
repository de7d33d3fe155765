#version 460
// Positions of a stream; the distance is the x of the screen, and the color that of each vertex.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
layout(location = 0) flat out vec4 color;
out float gl_ClipDistance[1];

void main()
{
    gl_Position = position;
    gl_PointSize = 1;
    gl_ClipDistance[0] = position.x;
    color = value;
}
