#version 460
#extension GL_EXT_shader_atomic_float : require
// As of floats; the sums have more bits than a float.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Numbers
{
    double sum, swapped, swapped_out;
};

void main()
{
    const double number = double(gl_GlobalInvocationID.x) + 16777216.5LF;
    atomicAdd(sum, number);
    atomicAdd(swapped_out, atomicExchange(swapped, number));
}
