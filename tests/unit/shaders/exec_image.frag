#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color[4];
layout(set = 0, binding = 0) uniform sampler2D tex;
layout(set = 0, binding = 1) uniform texture2D images[2];
layout(set = 0, binding = 2) uniform sampler nearest;
layout(set = 0, binding = 3, rgba8) uniform image2D store;
layout(set = 0, binding = 4, r32ui) uniform uimage2D counts;
layout(set = 3, binding = 0) uniform texture2D heap[];

void main()
{
    ivec2 at = ivec2(uv * 4.0);
    color[0] = texture(tex, uv);
    color[1] = texelFetch(sampler2D(images[1], nearest), at, 0) + vec4(textureSize(tex, 0), textureQueryLevels(tex), 0);
    int which = at.x & 1;
    color[2] = textureLod(sampler2D(images[nonuniformEXT(which)], nearest), uv, 0.0);
    color[3] = texture(sampler2D(heap[nonuniformEXT(at.y & 3)], nearest), uv);
    color[3].a = float(textureQueryLevels(sampler2D(heap[nonuniformEXT(at.y & 3)], nearest)));
    imageStore(store, at, vec4(uv, 0.5, 1.0));
    imageAtomicAdd(counts, ivec2(0), 1u);
}
