#version 460
#extension GL_EXT_shader_atomic_float : require
#extension GL_EXT_shader_atomic_float2 : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Numbers
{
    float least, most, group_least, group_most;
};
shared float low, high;

void main()
{
    const float number = float(gl_GlobalInvocationID.x) * 0.25 - 7.0;
    if (gl_LocalInvocationIndex == 0) {
        low = 1000.0;
        high = -1000.0;
    }
    barrier();
    atomicMin(least, number);
    atomicMax(most, number);
    atomicMin(low, number);
    atomicMax(high, number);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        atomicMin(group_least, low);
        atomicMax(group_most, high);
    }
}
