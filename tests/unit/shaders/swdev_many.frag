#version 460
layout(location = 0) flat in vec4 parts[33];
layout(location = 0) out vec4 target;

void main()
{
    target = vec4(0);
    for (int i = 0; i < 33; i++)
        target += parts[i];
}
