#version 460
// Eight planes around the middle: at (c, s) from the middle of each side to its distance.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
out gl_PerVertex { // without cull distances, which count against the same limit
    vec4 gl_Position;
    float gl_ClipDistance[8];
};

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    const vec2 at = vec2((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                         (corner & 2u) == 0u ? root.rect.y : root.rect.w);
    gl_Position = vec4(at, root.depth, 1);
    gl_ClipDistance[0] = 0.8 - at.x;
    gl_ClipDistance[1] = 0.7 + at.x;
    gl_ClipDistance[2] = 0.6 - at.y;
    gl_ClipDistance[3] = 0.9 + at.y;
    gl_ClipDistance[4] = 1.1 - at.x - at.y;
    gl_ClipDistance[5] = 1.2 + at.x + at.y;
    gl_ClipDistance[6] = 1.02 - at.x + at.y;
    gl_ClipDistance[7] = 0.95 + at.x - at.y;
}
