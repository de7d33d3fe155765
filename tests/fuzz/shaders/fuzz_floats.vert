#version 450
// Gives floats to any fragment shader, over the whole target.
layout(location = 0) out vec4 values[8];
void main()
{
    const vec2 at = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    for (int i = 0; i < 8; i++)
        values[i] = vec4(at, float(i), 1.0);
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
}
