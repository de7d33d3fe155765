#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
// Every atomic of 64 bits, all invocations of all groups on the same numbers.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Numbers
{
    uint64_t sum, least, most, all, any, parity, chain, ticket, shared_sum;
    int64_t low, high;
    uint64_t swapped, swapped_out;
};
layout(set = 0, binding = 1, std430) buffer Tickets
{
    uint taken[];
};
shared uint64_t group_sum;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    // Both halves differ, and one goes up as the other goes down.
    const uint64_t number = uint64_t(i) << 32 | uint64_t(0xffffffffu - i);
    if (gl_LocalInvocationIndex == 0)
        group_sum = 0;
    barrier();
    atomicAdd(sum, number);
    atomicMin(least, number + 0x100000000ul);
    atomicMax(most, number);
    atomicAnd(all, ~(1ul << (i % 61)));
    atomicOr(any, 1ul << (i % 59));
    atomicXor(parity, number);
    atomicMin(low, -int64_t(number));
    atomicMax(high, -int64_t(number));
    uint64_t old = atomicAdd(chain, 0ul), seen;
    while ((seen = atomicCompSwap(chain, old, old * 3ul + 1ul)) != old)
        old = seen;
    const uint64_t mine = atomicAdd(ticket, 0x80000001ul);
    atomicAdd(taken[uint(mine / 0x80000001ul)], uint(mine % 0x80000001ul) + 1);
    atomicAdd(swapped_out, atomicExchange(swapped, number));
    atomicAdd(group_sum, number);
    barrier();
    if (gl_LocalInvocationIndex == 0)
        atomicAdd(shared_sum, group_sum);
}
