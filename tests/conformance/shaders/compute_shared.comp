#version 460
// The sums of all words up to each one, of 128 to a group: each step reads what the others wrote in
// the step before.
layout(local_size_x = 128) in;
layout(set = 0, binding = 0, std430) buffer Words
{
    uint words[];
};
shared uint sums[2][128];

void main()
{
    const uint i = gl_LocalInvocationIndex;
    uint now = 0;
    sums[0][i] = words[gl_GlobalInvocationID.x];
    barrier();
    for (uint step = 1; step < 128; step *= 2) {
        sums[1 - now][i] = sums[now][i] + (i >= step ? sums[now][i - step] : 0);
        now = 1 - now;
        barrier();
    }
    words[gl_GlobalInvocationID.x] = sums[now][i];
}
