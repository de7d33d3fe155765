#version 460

layout(location = 0) out vec2 at;

// A field of 512 cells a row, with two triangles of a few texels in each.
void main()
{
    const uint quad[6] = uint[](0u, 1u, 2u, 2u, 1u, 3u);
    uint cell = uint(gl_VertexIndex) / 6u;
    uint corner = quad[uint(gl_VertexIndex) % 6u];
    uvec2 grid = uvec2(cell & 511u, cell >> 9) + uvec2(corner & 1u, corner >> 1);
    at = vec2(grid) / vec2(512.0, 288.0);
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
}
