#version 460
// A point as large as z says, and a value, flat.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value_in;
layout(location = 0) flat out vec4 value;

void main()
{
    gl_Position = vec4(position.xy, 0.5 * position.w, position.w);
    gl_PointSize = position.z;
    value = value_in;
}
