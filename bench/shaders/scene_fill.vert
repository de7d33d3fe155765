#version 460

layout(location = 0) out vec2 at;

// One triangle over the whole target.
void main()
{
    at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
}
