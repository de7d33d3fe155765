#version 460
// Reads or writes texels anywhere, inside or not.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer Places
{
    ivec2 places[16];
};
layout(set = 0, binding = 1, std430) buffer Results
{
    uint results[16];
};
layout(set = 0, binding = 2, r32ui) uniform uimage2D image;
layout(push_constant) uniform Root
{
    uint op;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    if (root.op == 0)
        results[i] = imageLoad(image, places[i]).x;
    else if (root.op == 1)
        imageStore(image, places[i], uvec4(1000 + i));
    else
        results[i] = imageAtomicAdd(image, places[i], 1u);
}
