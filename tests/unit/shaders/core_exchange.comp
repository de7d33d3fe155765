#version 460
#extension GL_EXT_shader_atomic_float : require
// Exchanges floats, for which SPIR-V has no capability.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Numbers
{
    float a, b;
};

void main()
{
    b = atomicExchange(a, 1.0);
}
