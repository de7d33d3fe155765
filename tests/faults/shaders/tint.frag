#version 460

layout(push_constant) uniform Root
{
    vec4 tint;
    vec4 unused[7];
};

layout(location = 0) out vec4 color;

void main()
{
    color = tint;
}
