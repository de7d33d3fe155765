#version 460
#extension GL_EXT_shared_memory_block : require

// Two views of the same memory: 16000 bytes of vectors, 20 KiB of words behind a gap.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) buffer Output
{
    uint values[];
} result;
shared Vectors
{
    vec4 v[1000];
} vectors;
shared Words
{
    layout(offset = 4096) uint w[4096];
} words;

void main()
{
    const uint i = gl_LocalInvocationIndex;
    vectors.v[i * 15] = vec4(i);
    barrier();
    result.values[i] = words.w[i * 60];
}
