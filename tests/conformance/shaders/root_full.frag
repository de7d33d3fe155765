#version 460
#extension GL_GOOGLE_include_directive : require
#include "root_full.glsl"
// Red and green as the stages before chose, blue and alpha as this one does.
layout(location = 0) in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(color.rg, chosen().ba);
}
