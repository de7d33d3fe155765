#version 460

layout(push_constant) uniform Root
{
    vec4 tint;
};

// Reads the same bytes of the root block as tint.frag.
void main()
{
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(at * 4.0 - 1.0, 0.5, 1.0) * tint.x;
}
