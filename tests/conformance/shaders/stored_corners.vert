#version 460
// Corners out of a storage buffer.
layout(set = 0, binding = 0) readonly buffer Corners { vec2 corners[]; };

void main()
{
    gl_Position = vec4(corners[gl_VertexIndex], 0, 1);
}
