#version 460
// A rectangle of clip space; clip distance 0 grows from the left edge, 1 from the bottom.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
out float gl_ClipDistance[2];

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    const vec2 at = vec2((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                         (corner & 2u) == 0u ? root.rect.y : root.rect.w);
    gl_Position = vec4(at, root.depth, 1);
    gl_ClipDistance[0] = at.x;
    gl_ClipDistance[1] = at.y + 0.5;
}
