#version 460
// The same color to two targets.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0) out vec4 color0;
layout(location = 1) out vec4 color1;

void main()
{
    color0 = root.color;
    color1 = root.color;
}
