#version 460
#extension GL_EXT_shader_atomic_float : require
// Atomics of floats, all invocations of all groups on the same numbers.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Numbers
{
    float sum, shared_sum, swapped, swapped_out;
    float seen[];
};
shared float group_sum;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float number = float(i) * 0.25 - 7.0;
    if (gl_LocalInvocationIndex == 0)
        group_sum = 0.0;
    barrier();
    seen[i] = atomicAdd(sum, 0.5);
    atomicAdd(swapped_out, atomicExchange(swapped, number));
    atomicAdd(group_sum, number);
    barrier();
    if (gl_LocalInvocationIndex == 0)
        atomicAdd(shared_sum, group_sum);
}
