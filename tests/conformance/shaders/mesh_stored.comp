#version 460
// Colors for mesh_stored.mesh, and the draw of the first 6 by 5.
layout(local_size_x = 64) in;

layout(set = 0, binding = 0) writeonly buffer Colors {
    uint colors[64];
};
layout(set = 0, binding = 1) writeonly buffer Draw {
    uint count, groups[3];
};

void main()
{
    const uint i = gl_LocalInvocationIndex;
    colors[i] = packUnorm4x8(vec4(i * 3, 255 - i, i, 255) / 255);
    if (i < 3)
        groups[i] = uvec3(6, 5, 1)[i]; // an array would have the type, and the layout, of `groups`
    if (i == 3)
        count = 1;
}
