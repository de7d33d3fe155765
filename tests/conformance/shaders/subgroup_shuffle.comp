#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

void main()
{
    const uint x = value(), lane = gl_SubgroupInvocationID;
    give_place();
    if (stays_out())
        return;
    give(subgroupShuffle(x, (lane * 3 + 1) % gl_SubgroupSize));
    give(subgroupShuffleXor(x, 1));
    give(subgroupShuffleXor(x, 3));
    give(subgroupShuffleUp(x, 1));
    give(subgroupShuffleUp(x, 3));
    give(subgroupShuffleDown(x, 1));
    give(subgroupShuffleDown(x, 2));
    const vec3 many = subgroupShuffle(vec3(x, x + 1, x + 2), lane ^ 2);
    give(many.x + 2 * many.y + 4 * many.z);
}
