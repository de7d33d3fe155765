#version 460
// A position, a value, and two clip distances from the value.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value_in;
layout(location = 0) flat out vec4 value;
out float gl_ClipDistance[2];

void main()
{
    gl_Position = position;
    value = value_in.xxxx;
    gl_ClipDistance[0] = value_in.y;
    gl_ClipDistance[1] = value_in.z;
}
