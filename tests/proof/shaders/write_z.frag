#version 460
// As value.frag, but the depth is written, as it is.
layout(location = 0) flat in vec4 value;
layout(location = 0) out vec4 color;

void main()
{
    color = value;
    gl_FragDepth = gl_FragCoord.z;
}
