#version 460
// A cube seen in the direction `color`.
layout(set = 0, binding = 0) uniform textureCube cube;
layout(set = 0, binding = 1) uniform sampler smp;
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

layout(location = 0) out vec4 color;

void main()
{
    color = textureLod(samplerCube(cube, smp), root.color.xyz, 0);
}
