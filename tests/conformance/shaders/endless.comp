#version 460
// Does not end unless somebody writes what nobody writes.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) coherent buffer Words
{
    uint words[];
};

void main()
{
    while (words[0] == 0)
        words[1]++;
}
