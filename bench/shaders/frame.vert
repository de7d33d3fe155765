#version 460

layout(location = 0) in vec4 position;

layout(push_constant) uniform Root
{
    mat4 model;
};

void main()
{
    gl_Position = model * position;
}
