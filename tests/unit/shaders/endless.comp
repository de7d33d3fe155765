#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Block { uint value; };
void main()
{
    while (true)
        atomicAdd(value, 1u);
}
