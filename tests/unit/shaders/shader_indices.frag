#version 460
#extension GL_EXT_nonuniform_qualifier : require

// The ways in which an index can reach a descriptor array. Lines are named by the test.
layout(location = 0) flat in uint id;
layout(location = 0) out vec4 color;
layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(set = 0, binding = 0) buffer Block { vec4 v[4]; } blocks[8];
layout(push_constant) uniform Root { uint chosen; } root;

vec4 fetch(uint index)
{
    return texture(sampler2D(textures[index], samplers[0]), vec2(0.5)); // line 14: by parameter
}

uint doubled(uint x)
{
    return x * 2;
}

void main()
{
    vec4 c = fetch(id);
    c += texture(sampler2D(textures[root.chosen], samplers[0]), vec2(0.5));        // uniform
    c += texture(sampler2D(textures[nonuniformEXT(id)], samplers[0]), vec2(0.5));  // decorated
    uint local = doubled(id) + 1;
    c += texture(sampler2D(textures[local], samplers[0]), vec2(0.5)); // line 28: by variable and result
    c += blocks[id & 7].v[0];                                         // line 29: buffers
    c += blocks[1].v[id & 3];                                         // no descriptor
    color = c;
}
