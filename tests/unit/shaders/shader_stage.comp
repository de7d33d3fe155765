#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x_id = 0, local_size_y = 2) in;

layout(set = 0, binding = 0) buffer Output
{
    float values[];
} result;
layout(set = 0, binding = 1) readonly buffer Input
{
    f16vec4 halves[4];
    uint64_t longs[];
} source;

shared float scratch[64];

void main()
{
    uint i = gl_GlobalInvocationID.x;
    scratch[gl_LocalInvocationIndex] = result.values[i];
    barrier();
    memoryBarrierShared();
    float s = subgroupAdd(scratch[i & 63]);
    s = subgroupShuffle(s, 1u) + float(source.halves[i & 3].x) + float(source.longs[i]);
    if (subgroupElect())
        result.values[i] = s + float(subgroupBallot(s > 1.0).x) + subgroupBroadcast(s, 0) + float(gl_WorkGroupSize.x);
    do {
        s = s * 0.5;
    } while (s > 1.0);
    result.values[i + 1] = s;
}
