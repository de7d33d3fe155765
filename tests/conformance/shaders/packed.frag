#version 460
// How many of packed.vert's values came through; and one that varies.
layout(location = 0, component = 0) in vec2 low;
layout(location = 0, component = 2) in float third;
layout(location = 1) in mat3 matrix;
layout(location = 4) in float list[3];
layout(location = 7) flat in uvec2 counts;
layout(location = 8) flat in int below;
layout(location = 9) in Block {
    vec3 a;
    vec2 b;
} block;
layout(location = 0) out vec4 color;

bool near(float value, float wanted)
{
    return abs(value - wanted) < 1e-4;
}

void main()
{
    uint count = uint(near(low.x, 1)) + uint(near(low.y, 2)) + uint(near(third, 3));
    for (int i = 0; i < 9; i++)
        count += uint(near(matrix[i / 3][i % 3], 4 + i));
    for (int i = 0; i < 3; i++) {
        count += uint(near(list[i], 13 + i));
        count += uint(near(block.a[i], 18 + i));
    }
    count += uint(counts.x == 16u) + uint(counts.y == 0xfffffff0u) + uint(below == -17);
    count += uint(near(block.b.x, 21));
    color = vec4(count / 255.0, block.b.y * 0.5 + 0.5, 0, 1);
}
