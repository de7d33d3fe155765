#version 460
// A position and a value, flat.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value_in;
layout(location = 0) flat out vec4 value;

void main()
{
    gl_Position = position;
    value = value_in;
}
