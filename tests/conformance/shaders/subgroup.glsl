// What the subgroup shaders share: where an invocation is, its value, and where its results go.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint chosen = 0; // Who has a bit of this in its number, from one, stays out.
layout(set = 0, binding = 0) buffer Results { uint results[]; };

uint at = gl_LocalInvocationIndex * 64;

void give(uint word)
{
    results[at++] = word;
}
void give(int word)
{
    give(uint(word));
}
void give(float word)
{
    give(floatBitsToUint(word));
}
void give(bool word)
{
    give(word ? 1u : 0u);
}

uint value_of(uint invocation)
{
    return (invocation * 37 + 11) % 101;
}
uint value()
{
    return value_of(gl_LocalInvocationIndex);
}
bool stays_out()
{
    return ((gl_LocalInvocationIndex + 1) & chosen) != 0;
}
// Every subgroup shader begins so: where the invocation is.
void give_place()
{
    give(gl_SubgroupID);
    give(gl_SubgroupInvocationID);
    give(stays_out());
}
