#version 460
layout(location = 0) flat in ivec4 value;
layout(location = 0) out ivec4 color;

void main()
{
    color = value;
}
