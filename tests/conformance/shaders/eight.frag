#version 460
layout(location = 0) out vec4 colors[8];

void main()
{
    for (int i = 0; i < 8; i++)
        colors[i] = vec4(float(i) / 8, 1 - float(i) / 8, i & 1, 1);
}
