#version 460

layout(push_constant) uniform Root
{
    mat4 matrices[3];
};

void main()
{
    gl_Position = matrices[2][0];
}
