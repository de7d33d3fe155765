#version 460

// A triangle over the whole target, with nothing to read.
void main()
{
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(at * 4.0 - 1.0, 0.5, 1.0);
}
