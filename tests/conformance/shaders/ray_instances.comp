#version 460
// Instances of one bottom level, moved along x by twice their number; every other one is inactive.
layout(local_size_x = 4) in;

struct Instance {
    float transform[12];
    uint index_and_mask, record_and_flags;
    uvec2 structure;
};
layout(set = 0, binding = 0) writeonly buffer Instances {
    Instance instances[4];
};
layout(push_constant) uniform Root {
    uvec2 structure;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    instances[i].transform = float[12](1, 0, 0, 2.0 * i, 0, 1, 0, 0, 0, 0, 1, 0);
    instances[i].index_and_mask = 100 + i | 0xffu << 24;
    instances[i].record_and_flags = 0;
    instances[i].structure = i % 2 == 0 ? root.structure : uvec2(0);
}
