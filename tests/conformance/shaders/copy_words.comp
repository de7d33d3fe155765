#version 460
// Copies one word.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) readonly buffer Source
{
    uint source[];
};
layout(set = 0, binding = 1, std430) buffer Sink
{
    uint sink[];
};
layout(push_constant) uniform Root
{
    uint from;
    uint to;
} root;

void main()
{
    sink[root.to] = source[root.from];
}
