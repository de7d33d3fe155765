#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Results
{
    float sum;
    uint next;
    uint places[];
};
void main()
{
    places[atomicAdd(next, 1)] = gl_GlobalInvocationID.x;
}
