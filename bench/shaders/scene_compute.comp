#version 460

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Values
{
    vec4 values[];
};

void main()
{
    vec4 value = values[gl_GlobalInvocationID.x];
    for (int i = 0; i < 64; ++i)
        value = value * 1.0001 + value.yzwx * 0.0001;
    values[gl_GlobalInvocationID.x] = value;
}
