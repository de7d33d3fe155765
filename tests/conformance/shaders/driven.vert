#version 460
#extension GL_GOOGLE_include_directive : require
#include "driven.glsl"
layout(push_constant) uniform Root {
    Things things;
} root;
layout(location = 0) flat out vec4 color;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    const Thing thing = root.things.things[gl_InstanceIndex];
    gl_Position = vec4((thing.at + thing.size * vec2(corner & 1, corner >> 1)) / 8 - 1, 0, 1);
    color = thing.color;
}
