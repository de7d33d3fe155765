#version 460
// Writes the root's red as depth, whatever the geometry's is.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0) out vec4 color;

void main()
{
    gl_FragDepth = root.color.r;
    color = vec4(1);
}
