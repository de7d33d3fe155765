#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

shared uint words[1024];

void main()
{
    const uint x = value();
    give_place();
    // Both ways, one after the other, and together again.
    uint here;
    if ((x & 1) != 0)
        here = subgroupAdd(x);
    else
        here = subgroupMax(x);
    give(here);
    give(subgroupAdd(x));
    // As many turns as the value says: fewer take part in each.
    uint turns = 0;
    for (uint i = 0; i <= x % 7; i++)
        turns += subgroupBallotBitCount(subgroupBallot(true)) << (i * 4 % 28);
    give(turns);
    // One value after the other, each for all that have it.
    uint same = 0;
    for (;;) {
        const uint first = subgroupBroadcastFirst(x % 5);
        if (first == x % 5) {
            same = subgroupAdd(1u);
            break;
        }
    }
    give(same);
    // Through shared memory.
    words[gl_LocalInvocationIndex] = x + 1000;
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    const uint other = gl_LocalInvocationIndex ^ 1;
    give(other < gl_WorkGroupSize.x && subgroupShuffleXor(other, 1) == gl_LocalInvocationIndex ? words[other] : 0u);
}
