#version 460
// Reads or writes words of a window anywhere, inside or not.
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, std430) readonly buffer Places
{
    uint places[16];
};
layout(set = 0, binding = 1, std430) buffer Results
{
    uint results[16];
};
layout(set = 0, binding = 2, std430) buffer Window
{
    uint words[];
};
layout(set = 0, binding = 3) uniform Block
{
    uvec4 values[4];
};
layout(push_constant) uniform Root
{
    uint op;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    switch (root.op) {
    case 0:
        results[i] = words[places[i]];
        break;
    case 1:
        words[places[i]] = 0xdead0000u + i;
        break;
    case 2:
        results[i] = atomicAdd(words[places[i]], 7u);
        break;
    case 3:
        results[i] = values[places[i]].x;
        break;
    default:
        results[i] = words.length();
    }
}
