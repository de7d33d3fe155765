#version 460

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out
{
    uint values[];
};
shared uint words[10000];

void main()
{
    words[gl_LocalInvocationIndex] = 1;
    barrier();
    values[0] = words[0];
}
