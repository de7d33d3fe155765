// Whether what subgroup operations tell fits together: each is asked twice, in two ways.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

bool fits(uint size)
{
    const uint lane = gl_SubgroupInvocationID;
    const uvec4 all = subgroupBallot(true);
    bool good = gl_SubgroupSize == size && lane < size && subgroupAll(true) && !subgroupAny(false);
    good = good && subgroupInverseBallot(all) && subgroupBallotBitExtract(all, lane);
    good = good && subgroupBallotBitCount(all) == subgroupAdd(1u);
    good = good && subgroupBallotExclusiveBitCount(all) == subgroupExclusiveAdd(1u);
    good = good && subgroupBallotInclusiveBitCount(all) == subgroupInclusiveAdd(1u);
    good = good && subgroupBroadcastFirst(lane) == subgroupBallotFindLSB(all);
    good = good && subgroupMin(lane) == subgroupBallotFindLSB(all);
    good = good && subgroupMax(lane) == subgroupBallotFindMSB(all);
    good = good && subgroupAdd(subgroupElect() ? 1u : 0u) == 1;
    good = good && subgroupShuffle(lane * 3, lane) == lane * 3;
    subgroupBarrier();
    return good;
}
