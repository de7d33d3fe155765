#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup_self.glsl"

// Cells of an 8 × 8 grid, white if all fits.
layout(push_constant) uniform Root
{
    uint size;
} root;
layout(location = 0) flat out vec4 color;

void main()
{
    const uint corner = gl_VertexIndex % 6;
    const vec2 at = vec2(corner == 1 || corner == 2 || corner == 4, corner == 2 || corner == 4 || corner == 5);
    const uint cell = uint(gl_InstanceIndex);
    gl_Position = vec4((vec2(cell % 8, cell / 8) + at) * 0.25 - 1.0, 0.5, 1);
    color = vec4(vec3(fits(root.size)), 1);
}
