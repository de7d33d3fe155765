#version 450
#extension GL_EXT_shader_atomic_float : require
layout(set = 0, binding = 0) buffer Results
{
    float sum;
    uint next;
    uint places[];
};
layout(location = 0) out vec4 color;
void main()
{
    const uint number = (uint(gl_FragCoord.y) * 4096u + uint(gl_FragCoord.x)) * 2654435761u;
    const float x = uintBitsToFloat((number & 0xffffffu) | 0x3e000000u + (number & 0x7800000u));
    color = vec4(atomicAdd(sum, x));
}
