#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };

uint row = 0;

void put(uint v)
{
    o[row++ * 64 + gl_LocalInvocationIndex] = v;
}

void main()
{
    uint i = gl_LocalInvocationIndex, v = i * 3 + 1;
    put(gl_SubgroupSize); // 0
    put(gl_SubgroupID);
    put(gl_SubgroupInvocationID);
    put(gl_NumSubgroups);
    if ((i & 1) != 0) { // odd lanes
        put(subgroupElect() ? 1 : 0); // 4
        put(subgroupAdd(v));
        put(subgroupInclusiveAdd(v));
        put(subgroupExclusiveAdd(v));
        put(subgroupBroadcastFirst(v));
        put(subgroupBallot(i % 3 == 0).x);
        put(subgroupAll(i > 0) ? 1 : 0); // 10
        put(subgroupAny(i == 5) ? 1 : 0);
        put(subgroupAllEqual(v) ? 1 : 0);
    } else {
        row += 9;
    }
    put(subgroupShuffle(v, (i + 3) % gl_SubgroupSize)); // 13
    put(subgroupShuffleXor(v, 5));
    put(subgroupShuffleUp(v, 1));
    put(subgroupShuffleDown(v, 1));
    put(subgroupQuadSwapHorizontal(v)); // 17
    put(subgroupQuadSwapDiagonal(v));
    put(subgroupQuadBroadcast(v, 2));
    put(subgroupClusteredMax(v, 4)); // 20
    put(floatBitsToUint(subgroupAdd(float(v))));
    uvec4 b = subgroupBallot((i & 3) == 1);
    put(subgroupBallotBitCount(b)); // 22
    put(subgroupBallotExclusiveBitCount(b));
    put(subgroupBallotFindLSB(b));
    put(subgroupBallotFindMSB(b));
    put(subgroupInverseBallot(b) ? 1 : 0); // 26
    put(gl_SubgroupLtMask.x);
    put(gl_SubgroupGeMask.x);
}
