#version 450
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_quad : require
layout(location = 0) flat in uint key;
layout(location = 0) out uvec4 color;

// Who is elected, how many there are, a quad's neighbour, and turns until every key was called.
void main()
{
    uint turns = 0;
    while (subgroupBroadcastFirst(key) != key)
        turns++;
    color = uvec4(subgroupElect(), subgroupAdd(1u), subgroupQuadSwapHorizontal(key), turns);
}
