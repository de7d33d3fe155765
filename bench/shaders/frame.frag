#version 460

layout(set = 1, binding = 0) uniform Tint
{
    vec4 tint;
};

layout(location = 0) out vec4 color;

void main()
{
    color = tint;
}
