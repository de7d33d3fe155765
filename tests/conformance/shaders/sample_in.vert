#version 460
// The place on a target of 16 by 16, as texels.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(location = 0) out vec2 place;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    const vec2 at = vec2((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                         (corner & 2u) == 0u ? root.rect.y : root.rect.w);
    gl_Position = vec4(at, root.depth, 1);
    place = vec2(at.x + 1, 1 - at.y) * 8;
}
