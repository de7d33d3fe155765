#version 460
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0) out uvec4 color;

void main()
{
    color = uvec4(root.color);
}
