#version 460
layout(local_size_x = 32) in;
layout(constant_id = 3) const uint addend = 1;
layout(push_constant) uniform Root
{
    uint count;
    uint factor;
};
layout(set = 0, binding = 2) readonly buffer Source
{
    uint source[];
};
layout(set = 1, binding = 0) writeonly buffer Result
{
    uint result[];
};

void main()
{
    const uint i = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * gl_NumWorkGroups.x * 32;
    if (i < count)
        result[i] = source[i] * factor + addend;
}
