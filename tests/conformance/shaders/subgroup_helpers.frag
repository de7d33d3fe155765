#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_quad : require

// Where the neighbors in the quad are: column + 100 × row.
layout(location = 0) out vec4 result;

// One key after the other, until everybody had a turn: invocations that only help as well.
uint turns_of(uint key)
{
    uint turns = 0;
    while (subgroupBroadcastFirst(key) != key)
        turns++;
    return turns;
}

void main()
{
    const uint turns = turns_of(gl_SubgroupInvocationID % 4);
    const float here = floor(gl_FragCoord.x) + 100 * floor(gl_FragCoord.y);
    result = vec4(subgroupQuadSwapHorizontal(here), subgroupQuadSwapVertical(here),
                  subgroupQuadSwapDiagonal(here), subgroupQuadBroadcast(here, 1)) + float(turns > 3);
}
