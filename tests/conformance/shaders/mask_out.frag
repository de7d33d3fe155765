#version 460
// Writes samples 1 and 2 of those that are covered.
layout(location = 0) out vec4 color;

void main()
{
    gl_SampleMask[0] = 6;
    color = vec4(1);
}
