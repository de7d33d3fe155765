#version 460

layout(push_constant) uniform Root
{
    vec4 tint;
};

layout(location = 0) out vec4 color;

void main()
{
    color = tint;
}
