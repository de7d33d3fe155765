#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };

void main()
{
    uint i = gl_LocalInvocationIndex;
    o[i] = 1;
    while (o[64] == 0)
        o[i]++;
    o[i] = 2;
}
