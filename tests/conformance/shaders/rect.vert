#version 460
// A rectangle of two triangles, given in clip space: x0, y0, x1, y1.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    gl_Position = vec4((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                       (corner & 2u) == 0u ? root.rect.y : root.rect.w, root.depth, 1);
}
