#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words
{
    uint word[];
};

void main()
{
    while (word[0] == 0)
        word[1 + gl_WorkGroupID.x]++;
}
