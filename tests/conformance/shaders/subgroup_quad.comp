#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

void main()
{
    const uint x = value();
    give_place();
    if (stays_out())
        return;
    give(subgroupQuadBroadcast(x, 0));
    give(subgroupQuadBroadcast(x, 1));
    give(subgroupQuadBroadcast(x, 2));
    give(subgroupQuadBroadcast(x, 3));
    give(subgroupQuadSwapHorizontal(x));
    give(subgroupQuadSwapVertical(x));
    give(subgroupQuadSwapDiagonal(x));
}
