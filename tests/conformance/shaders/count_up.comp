#version 460
// Counts its invocations, and how often it ran in order: each dispatch must see the one before.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Words
{
    uint count, last;
};
layout(push_constant) uniform Root {
    uint expected; // What `last` is, if all before has been done.
} root;

void main()
{
    atomicAdd(count, 1);
    if (last == root.expected)
        last = root.expected + 1;
}
