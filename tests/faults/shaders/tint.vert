#version 460

layout(push_constant) uniform Root
{
    vec4 tint;
    vec4 unused[7]; // so that two blocks do not fit into 128 bytes of push constants
};

// Reads the same bytes of the root block as tint.frag.
void main()
{
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
    gl_Position = vec4(at * 4.0 - 1.0, 0.5, 1.0) * tint.x;
}
