#version 460
// Six vertices fill a cell of a 16 by 16 grid: the column is the instance's number, the row a sixth
// of the vertex's.
void main()
{
    const vec2 corner = vec2[6](vec2(0, 0), vec2(1, 0), vec2(0, 1), vec2(0, 1), vec2(1, 0), vec2(1, 1))[gl_VertexIndex % 6];
    const vec2 at = vec2(gl_InstanceIndex, gl_VertexIndex / 6) + corner;
    gl_Position = vec4(at.x / 8 - 1, 1 - at.y / 8, 0, 1);
}
