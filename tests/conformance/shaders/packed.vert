#version 460
// Varyings of every shape: parts of one location, a matrix, an array, a block, integers.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

layout(location = 0, component = 0) out vec2 low;
layout(location = 0, component = 2) out float third;
layout(location = 1) out mat3 matrix;
layout(location = 4) out float list[3];
layout(location = 7) flat out uvec2 counts;
layout(location = 8) flat out int below;
layout(location = 9) out Block {
    vec3 a;
    vec2 b;
} block;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    gl_Position = vec4((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                       (corner & 2u) == 0u ? root.rect.y : root.rect.w, root.depth, 1);
    low = vec2(1, 2);
    third = 3;
    matrix = mat3(4, 5, 6, 7, 8, 9, 10, 11, 12);
    list = float[3](13.0, 14.0, 15.0);
    counts = uvec2(16, 0xfffffff0u);
    below = -17;
    block.a = vec3(18, 19, 20);
    block.b = vec2(21, gl_Position.x);
}
