#version 460
// How many samples the shader is told that it covers, of the root's red.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(vec3(bitCount(gl_SampleMaskIn[0]) / root.color.r), 1);
}
