#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Results
{
    float sum;
    uint next;
    uint places[];
};
void main()
{
    const uint number = gl_GlobalInvocationID.x * 2654435761u;
    atomicAdd(sum, uintBitsToFloat((number & 0xffffffu) | 0x3e000000u + (number & 0x7800000u)));
}
