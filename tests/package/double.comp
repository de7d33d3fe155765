#version 460

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Values { uint values[]; };

void main()
{
    values[gl_GlobalInvocationID.x] *= 2;
}
