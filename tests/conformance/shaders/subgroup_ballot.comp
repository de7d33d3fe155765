#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

void main()
{
    const uint x = value();
    give_place();
    if (stays_out())
        return;
    give(subgroupAll(x < 90));
    give(subgroupAll(x < 101));
    give(subgroupAny(x > 90));
    give(subgroupAny(x > 101));
    give(subgroupAllEqual(x));
    give(subgroupAllEqual(chosen));
    give(subgroupAllEqual(x >= 50));
    give(subgroupAllEqual(float(x / 64)));
    const uvec4 even = subgroupBallot((x & 1) == 0);
    give(even.x);
    give(even.y | even.z | even.w);
    give(subgroupInverseBallot(even));
    give(subgroupBallotBitExtract(even, gl_SubgroupInvocationID ^ 1));
    give(subgroupBallotBitCount(even));
    give(subgroupBallotInclusiveBitCount(even));
    give(subgroupBallotExclusiveBitCount(even));
    give(subgroupBallotFindLSB(even));
    give(subgroupBallotFindMSB(even));
    give(subgroupBroadcastFirst(x));
    give(subgroupBroadcast(x, 2));
}
