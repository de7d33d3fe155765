#version 460
#extension GL_GOOGLE_include_directive : require
#include "root_full.glsl"
// A cell, in the color that is chosen.
layout(location = 0) out vec4 color;

void main()
{
    gl_Position = corner(uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6]);
    color = chosen();
}
