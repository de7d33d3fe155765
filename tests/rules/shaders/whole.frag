#version 460

layout(location = 0) out uvec4 color;

void main()
{
    color = uvec4(1);
}
