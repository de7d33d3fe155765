#version 460
// A position, a value, flat, and two cull distances from it.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value_in;
layout(location = 0) flat out vec4 value;
out float gl_CullDistance[2];

void main()
{
    gl_Position = position;
    value = value_in;
    gl_CullDistance[0] = value_in.y;
    gl_CullDistance[1] = value_in.z;
}
