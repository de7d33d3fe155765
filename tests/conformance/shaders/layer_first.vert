#version 460
#extension GL_ARB_shader_viewport_layer_array : require
// A triangle over everything, whose first vertex is in another layer than the others.
layout(push_constant) uniform Root {
    int first, others;
} root;
layout(location = 0) flat out vec4 color;

void main()
{
    gl_Position = vec4(vec2(gl_VertexIndex == 1 ? 3 : -1, gl_VertexIndex == 2 ? 3 : -1), 0, 1);
    gl_Layer = gl_VertexIndex == 0 ? root.first : root.others;
    color = vec4(gl_VertexIndex == 0 ? 1 : 0);
}
