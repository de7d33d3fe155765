#version 460
// Reads or writes words by addresses, in a buffer and beside it.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 16) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word
{
    uint value;
};
layout(set = 0, binding = 0, std430) buffer Results
{
    uint results[16];
};
layout(set = 0, binding = 1, std430) readonly buffer Places
{
    int64_t places[16];
};
layout(push_constant) uniform Root
{
    uint64_t base;
    uint op;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    Word word = Word(root.base + uint64_t(places[i]));
    if (root.op == 0)
        results[i] = word.value;
    else
        word.value = 0xdead0000u + i;
}
