#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup_self.glsl"

// The rectangle's color is the size of a subgroup in its first component.
layout(push_constant) uniform Root
{
    layout(offset = 32) vec4 color;
} root;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(vec3(fits(uint(root.color.x))), 1);
}
