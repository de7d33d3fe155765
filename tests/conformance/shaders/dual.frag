#version 460
// Two sources for one color: the root's, and constants.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0, index = 0) out vec4 source0;
layout(location = 0, index = 1) out vec4 source1;

void main()
{
    source0 = root.color;
    source1 = vec4(0.2, 0.4, 0.6, 0.8);
}
