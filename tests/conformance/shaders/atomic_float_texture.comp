// Every invocation adds to one texel and leaves a number in another.
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 64) in;
layout(binding = 0, r32f) uniform image2D texels;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    imageAtomicAdd(texels, ivec2(0, 0), float(i) * 0.25 - 7.0);
    imageAtomicExchange(texels, ivec2(1, 0), 9.5);
    imageAtomicAdd(texels, ivec2(2, 0), 0.5);
}
