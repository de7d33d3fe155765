#version 460

layout(push_constant) uniform Root
{
    mat4 model;
};

void main()
{
    gl_Position = model[gl_VertexIndex & 3];
}
