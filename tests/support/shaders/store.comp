#version 460

layout(local_size_x_id = 0, local_size_y = 1) in;

layout(set = 0, binding = 0) buffer Out
{
    vec4 head;
    uint values[];
};
layout(set = 0, binding = 2) readonly buffer In
{
    uint source[4];
};
layout(push_constant) uniform Root
{
    uint add;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    values[i] = source[i & 3] + add;
}
