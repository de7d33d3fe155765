#version 460

layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

void main()
{
    gl_Position = vec4(0.0);
    EmitVertex();
}
