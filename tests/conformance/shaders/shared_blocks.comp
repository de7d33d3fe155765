#version 460
#extension GL_EXT_shared_memory_block : require
// Two views of the same workgroup memory, with a layout each: what is written as vectors is read as
// words, behind a gap.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Words
{
    uint words[];
};
shared Vectors
{
    uvec4 all[64];
} vectors;
shared Tail
{
    layout(offset = 512) uint all[128];
} tail;

void main()
{
    const uint i = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * 10000;
    vectors.all[i] = base + uvec4(4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    barrier();
    words[gl_GlobalInvocationID.x] = tail.all[127 - i] + 1;
}
