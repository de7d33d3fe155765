#version 460
// Arrays of a table, an index for each invocation.
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) uniform texture2D textures[4];
layout(set = 0, binding = 1) uniform sampler samplers[2];
layout(set = 0, binding = 2) readonly buffer Words
{
    uint words[4];
} buffers[4];
layout(set = 0, binding = 3, std430) writeonly buffer Results
{
    uvec2 results[32];
};

void main()
{
    const uint i = gl_LocalInvocationID.x, which = i * 7u % 4u, how = i / 8u % 2u;
    const vec4 texel = textureLod(
        sampler2D(textures[nonuniformEXT(which)], samplers[nonuniformEXT(how)]), vec2(1.25, 0.5), 0);
    results[i] = uvec2(packUnorm4x8(texel), buffers[nonuniformEXT(which)].words[i % 4u]);
}
